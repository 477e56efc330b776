import { watchTransactions } from '../../../core/store/inside-transaction.ts';
import { isLongRun } from './rows-of-run.ts';

// A query of the store's own handle inside a transaction then fails its test at once. Otherwise SQLite has it wait until the time of
// its test is up, and PostgreSQL answers it. Before Node.js 24, watching takes 15 % of the CPU time of tests.
const isCheap = Number.parseInt(process.versions.node, 10) >= 24;
if (isCheap || isLongRun || process.env.TEST_DATABASE === 'postgres') watchTransactions();
