"""From records to tables, plots and a report. Pure functions of the records; nothing runs here.

Import the modules by name (`from analysis import report`): each brings pandas, statsmodels or
matplotlib with it, so the program imports them only in the verbs that need them.
"""
