"""Every figure that `export figures` writes, computed a second time from the other exports.

Nothing of ``medlens.stats`` or of a study's figures is used here: only pandas, scipy, statsmodels
and the krippendorff package, on the CSV files and JSON lines that anybody can export. Each module
has a function that takes a folder of exports and returns what each row of ``figures.csv`` must
hold.
"""
