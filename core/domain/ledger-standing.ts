import type { LedgerReport } from './ledger-report.ts';

/** The kept sums of one paymaster contract beside the chain, at one block; what each is says {@link LedgerReport}. */
export type LedgerStanding = Pick<
  LedgerReport,
  'state' | 'chainId' | 'contract' | 'entryPoint' | 'atBlock' | 'chainDeposit' | 'bookDeposit' | 'difference' | 'held'
>;
