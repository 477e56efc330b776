import { watchTransactions } from '../../../core/store/inside-transaction.ts';

// A query of the store's own handle inside a transaction fails its test, instead of waiting for ever.
watchTransactions();
