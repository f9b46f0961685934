-- True: the row takes back the decision before it, and the item has none until it is settled again.
alter table adjudication add column withdrawn boolean
