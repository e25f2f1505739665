# shares, with a remark
64    0.5
4KiB, 0.75   # a comma does no harm
1MiB  1
