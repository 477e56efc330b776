import type { PolicyItem } from '@tollfree/contract/policy';

/** Labels of policy fields that differ from their names. */
export const fieldNames: Readonly<Record<string, string>> = {
  sponsorAllCalls: 'Sponsor calls to any contract',
  allowAccountDeployment: 'Sponsor plain account deployments',
  allowRevertingOperations: 'Sponsor operations whose own call fails',
  accounts: 'Accounts',
  relay: 'Relaying without the paymaster contract',
  maxCostPerOperation: 'Maximum cost of one operation',
  maxFeePerGas: 'Highest gas price, in gwei',
  maxGasPerOperation: 'Maximum gas of one operation',
  maxPreVerificationGas: 'Maximum preVerificationGas of one operation',
  allowedSenders: 'Allowed senders',
  blockedSenders: 'Blocked senders',
  requireTicket: 'Require a ticket',
  thenPayInToken: 'Let users pay in a token when a limit is used up',
  userPaysPercent: 'Percentage of the gas that users pay in a token',
  tokens: 'Token payments',
  maxValiditySeconds: 'Longest validity of a signature, in seconds',
  notBefore: 'Begins',
  notAfter: 'Ends',
  pauses: 'Weekly pauses',
  limits: 'Spending limits',
  callRules: 'Rules on arguments',
  methodGas: 'Maximum gas by method',
  maxCallGas: 'Maximum callGasLimit',
  ignoreForeignPolicyIds: 'Accept policy ids of other services',
  wei: 'In the chain’s coin',
  usd: 'In USD',
  enabled: 'Users may pay in tokens',
  allowed: 'Only these tokens',
  tokenRecipient: 'Token receiver',
  window: 'Period',
  max: 'Maximum',
  contract: 'Contract',
  where: 'Conditions',
  atLeast: 'Minimum',
  atMost: 'Maximum value',
  in: 'One of',
  origins: 'Allowed web pages',
  networks: 'Allowed IP addresses',
  methods: 'Allowed methods',
  rate: 'Request rate',
};

/** A field's label: `maxCallsPerOperation` without one of its own is “Max calls per operation”. */
export function labelOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return fieldNames[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Labels of field values. */
export const valueNames: Readonly<Record<string, string>> = {
  KNOWN: 'Only accounts with known code',
  ANY: 'Any account',
  NEVER: 'Never',
  PREFER: 'When the client asks for it',
  ONLY: 'Always',
  SENDER: 'Sender',
  SUBJECT: 'User of a ticket',
  TOTAL: 'Total',
  HOUR: 'Hour',
  DAY: 'Day',
  WEEK: 'Week',
  MONTH: 'Month',
  EVER: 'Ever',
  OPERATIONS: 'Operations',
  WEI: 'Cost in the chain’s coin',
  USD: 'Cost in USD',
  MON: 'Monday',
  TUE: 'Tuesday',
  WED: 'Wednesday',
  THU: 'Thursday',
  FRI: 'Friday',
  SAT: 'Saturday',
  SUN: 'Sunday',
};

/** The end of a sentence about a limit: its period. */
export const withinWindow: Readonly<Record<PolicyItem['limits'][number]['window'], string>> = {
  HOUR: 'in an hour',
  DAY: 'in a day',
  WEEK: 'in a week',
  MONTH: 'in a month',
  EVER: 'ever',
};
