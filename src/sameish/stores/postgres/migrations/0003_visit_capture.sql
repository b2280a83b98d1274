-- URLs that were redirected to a page name its capture, too; when it expires they are found by it.
CREATE INDEX visit_capture ON sameish.visit (capture_id);
