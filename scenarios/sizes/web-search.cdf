# Flow sizes of a web search cluster: bytes, share of flows that are no larger.
# Measured by Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, as
# figure 4; points as in WebSearch_distribution.txt of the simulator of "HPCC:
# High Precision Congestion Control", SIGCOMM 2019
# (github.com/alibaba-edu/High-Precision-Congestion-Control, traffic_gen/).
0        0
10000    0.15
20000    0.20
30000    0.30
50000    0.40
80000    0.53
200000   0.60
1000000  0.70
2000000  0.80
5000000  0.90
10000000 0.97
30000000 1
