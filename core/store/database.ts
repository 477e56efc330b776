import type { DecisionTables } from './decision-tables.ts';
import type { KeyTables } from './key-tables.ts';
import type { LedgerTables } from './ledger-tables.ts';
import type { ManagementTables } from './management-tables.ts';
import type { NotificationTables } from './notification-tables.ts';
import type { UsageTables } from './usage-tables.ts';

/** All tables. Times are Unix seconds; truth values are 0 and 1. */
export type Database = ManagementTables & KeyTables & LedgerTables & DecisionTables & NotificationTables & UsageTables;
