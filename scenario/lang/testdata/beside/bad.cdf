# six mistakes
64 0.5
lots 0.6
  128 many
256
200 0.7
32 0.4
512 0.9
