"""Classes of all characters, made by `scripts/make_character_table.py` from Unicode 14.0.0.

Runs in code point order: length in hexadecimal, then the class: (s)eparator, (w)ord, (o)wn token, (m)ark,
(n)ewline.
"""

RUNS = """
as 1n 18s 4o 4s 1o 4s aw 2s 3o 1s 1o 1aw 6s 1aw 27s 4o 1s 1o 2s 1w 5s 2o 2w 1s 1w 3s 2w 1s 3w 1s 17w 1o 1fw 1o 1caw 4s
cw es 5w 7s 1w 1s 1w 11s 70m 5w 1s 2w 2s 4w 1s 1w 6s 1w 1s 3w 1s 1w 1s 14w 1s 53w 1o 8bw 1s 7m a6w 1s 26w 2s 1w 6s 29w
6s 1o 1s 2dm 1s 1m 1s 2m 1s 2m 1s 1m 8s 1bw 4s 4w 13s 3o 2s 1o 4s bm 5s 2bw 15m aw 4s 2w 1m 63w 1s 1w 7m 2s 6m 2w 2m
1s 4m fw 2s 1w 10s 1w 1m 1ew 1bm 2s 59w bm 1w es 2bw 9m 2w 4s 1w 2s 1m 2o 16w 4m 1w 9m 1w 3m 1w 5m 12s 19w 3m 4s bw 5s
18w 1s 6w 9s 8m 2aw 18m 1s 21m 36w 3m 1w 12m 1w 7m aw 2m 2s aw 1s 10w 3m 1s 8w 2s 2w 2s 16w 1s 7w 1s 1w 3s 4w 2s 1m 1w
7m 2s 2m 2s 3m 1w 8s 1m 4s 2w 1s 3w 2m 2s cw 2o 6w 1s 1o 1w 1s 1m 2s 3m 1s 6w 4s 2w 2s 16w 1s 7w 1s 2w 1s 2w 1s 2w 2s
1m 1s 5m 4s 2m 2s 3m 3s 1m 7s 4w 1s 1w 7s aw 2m 3w 1m bs 3m 1s 9w 1s 3w 1s 16w 1s 7w 1s 2w 1s 5w 2s 1m 1w 8m 1s 3m 1s
3m 2s 1w fs 2w 2m 2s aw 1s 1o 7s 1w 6m 1s 3m 1s 8w 2s 2w 2s 16w 1s 7w 1s 2w 1s 5w 2s 1m 1w 7m 2s 2m 2s 3m 7s 3m 4s 2w
1s 3w 2m 2s aw 1s 7w as 1m 1w 1s 6w 3s 3w 1s 4w 3s 2w 1s 1w 1s 2w 3s 2w 3s 3w 3s cw 4s 5m 3s 3m 1s 4m 2s 1w 6s 1m es
dw 6s 1o 6s 5m 8w 1s 3w 1s 17w 1s 10w 2s 1m 1w 7m 1s 3m 1s 4m 7s 2m 1s 3w 2s 1w 2s 2w 2m 2s aw 8s 7w 1s 1w 3m 1s 8w 1s
3w 1s 17w 1s aw 1s 5w 2s 1m 1w 7m 1s 3m 1s 4m 7s 2m 6s 2w 1s 2w 2m 2s aw 1s 2w ds 4m 9w 1s 3w 1s 29w 2m 1w 7m 1s 3m 1s
4m 1w 5s 3w 1m aw 2m 2s 13w 1s 6w 1s 3m 1s 12w 3s 18w 1s 9w 1s 1w 2s 7w 3s 1m 4s 6m 1s 1m 1s 8m 6s aw 2s 2m ds 30o 1m
2o 7m 4s 8o 8m 1s aw 27s 2o 1s 1o 1s 5o 1s 18o 1s 1o 1s ao 1m 2o 9m 1w 2s 5o 1s 1o 1s 6m 2s aw 2s 4o 20s 1w 17s 2m 6s
14w 1s 1m 1s 1m 1s 1m 4s 2m 8w 1s 24w 4s 14m 1s 2m 5w bm 1s 24m 9s 1m 39s 2bo 14m 1o aw 6s 6w 4m 4w 3m 1w 3m 2w 7m 3w
4m dw cm 1w 1m aw 4m 2s 26w 1s 1w 5s 1w 2s 2bw 1s 4w 100o 49w 1s 4w 2s 7w 1s 1w 1s 4w 2s 29w 1s 4w 2s 21w 1s 4w 2s 7w
1s 1w 1s 4w 2s fw 1s 39w 1s 4w 2s 43w 2s 3m 9s 14w 3s 10w 10s 56w 2s 6w 3s 26cw 2s 11w 1s 1aw 5s 4bw 3s bw 7s 12w 4m
9s 13w 3m bs 12w 2m cs dw 1s 3w 1s 2m cs 34o 20m 3s 1w 3s 1o 1w 1m 2s aw 6s aw 11s 3m 1s 1m aw 6s 59w 7s 5w 2m 22w 1m
1w 5s 46w as 1fw 1s cm 4s cm as 28w 2s 5w bs 2cw 4s 1aw 6s bw 25s 17w 5m 4s 35w am 1s 1dm 2s 1m aw 6s aw ds 1w 8s 1fm
31s 5m 2fw 11m 8w 3s aw 11s 9m cs 3m 1ew dm 38w em cs 24w 14m 8s aw 3s 31w 2s 9w 7s 2bw 2s 3w 10s 3m 1s 15m 4w 1m 6w
1m 2w 3m 1w 5s c0w 40m 116w 2s 6w 2s 26w 2s 6w 2s 8w 1s 1w 1s 1w 1s 1w 1s 1fw 2s 35w 1s 7w 1s 1w 3s 3w 1s 7w 3s 4w 2s
6w 4s dw 5s 3w 1s 7w 33s 1o 13s 1o ds 1o 1ds 2w 2s 6w 3o 2s bw 3o 3s dw 3s 21o fs 21m 11s 1w 4s 1w 2s aw 1s 1w 1o 1s
1o 5w 6s 1w 1s 1w 1s 1w 1s 4w 1s bw 2s 4w 5o 5w 1s 1o 2s 1w 1s 3aw 76s 100o 20s 2o 5as 1o 1es 19o 28s 6o 7es 3cw 4es
16w f8s 8o 5s 2o 9s 3o 5as 1o 1s 1o 95s 1o ds 2o 2s 2o 33s 1o 29s 1ew 2cs 5o 2s 1fo as 10o 100s 83o 16s 3fo 4s 20o 2s
102o 30s 15o 2s 6o b3s e5w 6s 4w 3m 2w 9s 1w 2s 26w 1s 1w 5s 1w 2s 38w 7s 1w fs 1m 17w 9s 7w 1s 7w 1s 7w 1s 7w 1s 7w
1s 7w 1s 7w 1s 7w 1s 20m 2fs 1w 1d5s 3o 19s 9o 6m 1s 5w 2s 5w 4s 56o 2s 2m 2s 3o 1s 5ao 1s 4o 5s 2bw 1s 5eo 3s 4w as
20w 30s 10o 20s aw 1es 8w 1s fw 20s aw 27s fw 140s 19c0o 40s 5200o 48dw 43s 2ew 2s 10dw 3s 1cw 14s 2fw 4m 1s am 1s 1fw
2m 50w 2m 25s 9w 2s 67w 2s 40w 5s 2w 1s 1w 1s 5w 18s 10w 1m 3w 1m 4w 1m 17w 5m 4s 1m 3s 6w 2s 1o 7s 34w cs 2m 32w 12m
as aw 6s 12m 6w 3s 1w 1s 2w 1m 26w 8m 2s 17w dm cs 1do 3s 4m 2fw em es bw 6s 5w 1m 19w 1s 29w em 9s 3w 1m 8w 2m 2s aw
6s 17w 3s 1w 3m 32w 1m 1w 3m 2w 2m 5w 2m 1w 1m 1w 18s 3w 2s bw 5m 2s 3w 2m as 6w 2s 6w 2s 6w 9s 7w 1s 7w 1s 2bw 1s ew
6s 73w 8m 1s 2m 2s aw 6s 2ba4o cs 17w 4s 31w 2104s 16eo 2s 6ao 26s 7w cs 5w 5s 1w 1m aw 1o dw 1s 5w 1s 1w 1s 2w 1s 2w
1s 6cw 21s 16bw 12s 40w 2s 36w 28s cw 1o 3s 10m 10s 10m 32s 1o 1s 3o 2s 1o 6s 5w 1s 87w 7s 1o 6s 1o 4s aw 2s 3o 2s 1aw
6s 1aw 1s 1o 1s 1o 7s 3ao 1fw 3s 6w 2s 6w 2s 6w 2s 3w 3s 3o 2s 2o 2s 4o 13s cw 1s 1aw 1s 13w 1s 2w 1s fw 2s ew 22s 7bw
cs 2dw cs 39w 11s 2w 71s 1m 82s 1dw 3s 31w fs 1m 1bw 4s 24w 9s 1ew 5s 26w 5m 5s 1ew 2s 24w 4s 8w 1s 5w 2as 9ew 2s aw
6s 24w 4s 24w 4s 28w 8s 34w cs bw 1s fw 1s 7w 1s 2w 1s bw 1s fw 1s 7w 1s 2w 43s 137w 9s 16w as 8w 18s 6w 1s 2aw 1s 9w
45s 6w 2s 1w 1s 2cw 1s 2w 3s 1w 2s 17w 2s 1fw 2s 26w 8s 9w 30s 13w 1s 2w 5s 21w 4s 1aw 46s 38w 4s 14w 2s 2fw 3m 1s 2m
5s 4m 4w 1s 3w 1s 1dw 2s 3m 4s 1m 9w 17s 1fw 1s 20w 20s 8w 1s 1cw 2m 4s 5w 10s 36w as 16w 2s 1bw 5s 1aw 17s 7w 50s 49w
37s 33w ds 33w 7s 2aw 4m 8s aw 126s 1fw 1s 2aw 1s 2m 3s 2w 4es 28w 8s 16w bm 4w 1bs 12w 4m 2as 1cw 14s 17w 9s 3m 35w
fm bs 1ew 1m 2w 2m 1w 9s 4m 2dw bm 7s 1m ds 19w 7s aw 6s 3m 24w em 1s aw 4s 1w 2m 1w 8s 23w 1m 2s 1w 9s 3m 30w em 4w
4s 4m 1s 2m bw 1s 1w 4s 14w bs 12w 1s 19w cm 6s 1m 41s 7w 1s 1w 1s 4w 1s fw 1s aw 7s 2fw cm 5s aw 6s 4m 1s 8w 2s 2w 2s
16w 1s 7w 1s 2w 1s 5w 1s 2m 1w 7m 2s 2m 2s 3m 2s 1w 6s 1m 5s 5w 2m 2s 7m 3s 5m 8bs 35w 12m 4w 5s aw 4s 1m 3w 1es 30w
14m 2w 1s 1w 8s aw a6s 2fw 7m 2s 9m 17s 4w 2m 22s 30w 11m 3s 1w bs aw 26s 2bw dm 1w 7s aw 36s 1bw 2s fm 4s cw 4s 7w
b9s 2cw fm 65s 53w cs 8w 2s 1w 2s 8w 1s 2w 1s 18w 6m 1s 2m 2s 4m 1w 1m 1w 2m cs aw 46s 8w 2s 27w 7m 2s 7m 1w 1s 1w 1m
1bs 1w am 28w 7m 1w 4m 8s 1m 8s 1w bm 2ew 10m 3s 1w 12s 49w 107s 9w 1s 25w 8m 1s 8m 1w fs 1dw 5s 1ew 2s 16m 1s em 49s
7w 1s 2w 1s 26w 6m 3s 1m 1s 2m 1s 7m 1w 1m 8s aw 6s 6w 1s 2w 1s 20w 5m 1s 2m 1s 5m 1w 7s aw 136s 13w 4m b9s 1w fs 15w
8s 4o 1fs 39aw 66s 6fw 11s c4w a4cs 61w fs 42fw fd1s 247w 21b9s 239w 7s 1fw 1s aw 6s 4fw 1s aw 6s 1ew 2s 5m bs 30w 7m
9s 4w cs aw 1s 7w 1s 15w 5s 13w 2b0s 57w 69s 4bw 4s 1m 1w 37m 7s 4m dw 40s 2w 1s 1w 1m bs 2m es 17f8w 8s 4d6w 2as 9w
22e7s 4w 1s 7w 1s 2w 1s 123w 2ds 3w 11s 4w 8s 18cw 904s 6bw 5s dw 3s 9w 7s aw 3s 2m 1261s 2em 2s 17m 21es 5m 3s 6m 8s
8m 2s 7m 1es 4m 94s 3m 9bs 14w 6cs 19w 87s 55w 1s 47w 1s 2w 2s 1w 2s 2w 2s 4w 1s cw 1s 1w 1s 7w 1s 41w 1s 4w 2s 8w 1s
7w 1s 1cw 1s 4w 1s 5w 1s 1w 3s 7w 1s 154w 2s 19w 1o 19w 1o 1fw 1o 19w 1o 1fw 1o 19w 1o 1fw 1o 19w 1o 1fw 1o 19w 1o 8w
2s 32w 200s 37m 4s 32m 8s 1m es 1m 16s 5m 1s fm 450s 1fw e1s 7m 1s 11m 2s 7m 1s 2m 1s 5m d5s 2dw 3s 7m 7w 2s aw 4s 1w
141s 1ew 1m 11s 2cw 4m aw 5s 1o 4e0s 7w 1s 4w 1s 2w 1s fw 1s c5w 2s 9w 7m 29s 44w 7m 1w 4s aw 317s 3bw 1s 3w 1o 4w 4cs
2dw 1s fw c2s 4w 1s 1bw 1s 2w 1s 1w 2s 1w 1s aw 1s 4w 1s 1w 1s 1w 6s 1w 4s 1w 1s 1w 1s 1w 1s 3w 1s 2w 1s 1w 2s 1w 1s
1w 1s 1w 1s 1w 1s 1w 1s 2w 1s 1w 2s 4w 1s 7w 1s 4w 1s 4w 1s 1w 1s aw 1s 11w 5s 3w 1s 5w 1s 11w 34s 2o 20es dw d9s 1ao
24ds 2o 7a1s aw 406s a6e0o 20s 1039o 7s deo 2s 1682o es 1d31o c1fs 21eo 5e2s 134bo aedb5s f0m 2fe10s
"""
