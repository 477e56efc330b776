import type { DashboardLab } from '../dashboard-lab.ts';

/** What the steps before have come to, for those that follow them in the same browser. */
export type Walk = {
  readonly lab: DashboardLab;
  /** Of the account, from outside of the browser. */
  readonly authToken: string;
  /** Paymaster's own apiKey. */
  readonly rpcUrl: string;
};
