import type { Database } from '../../../core/store/database.ts';

/**
 * Who has a row written. `any request`: one that is refused too, of anyone who has a public key, or no key at all. `accepted
 * change`: of an account that signs in. `signature`: an operation that something was held for, which every cap counts. `chain`: what
 * has happened there and was paid for. `operator`: the configuration and its commands.
 */
export type Writer = 'any request' | 'accepted change' | 'signature' | 'chain' | 'operator';

type TableBound = {
  readonly writtenBy: Writer;
  /** What keeps its rows few: a number of them, or an age. */
  readonly boundedBy: string;
};

const ofOperation = 'one or a few for each signature; the ledger keeps them, and archives them with `ledger.keepDays`';

/** What bounds the rows of every table that is no view. A new table needs a row: `npm run typecheck` asks for it. */
export const tableBounds: {
  readonly [Table in Exclude<keyof Database, 'tanks_with_held' | 'contract_totals_with_held'>]: TableBound;
} = {
  accounts: {
    writtenBy: 'accepted change',
    boundedBy: 'sign-ups: 10,000 in all, and 200 a day; others by the operator',
  },
  account_members: { writtenBy: 'accepted change', boundedBy: '100 of an account' },
  budgets: { writtenBy: 'accepted change', boundedBy: '20 of an account' },
  auth_tokens: { writtenBy: 'accepted change', boundedBy: '50 of an account, and 50 ended ones' },
  sessions: {
    writtenBy: 'accepted change',
    boundedBy: '20 of a wallet or authToken; they end after 12 hours unused',
  },
  used_nonces: {
    writtenBy: 'accepted change',
    boundedBy: 'one for each sign-in with a valid signature, for 5 minutes',
  },
  paymasters: { writtenBy: 'accepted change', boundedBy: '1,000 of an account' },
  api_keys: { writtenBy: 'accepted change', boundedBy: '50 of a paymaster; replaced ones end after 30 days' },
  api_key_settings: { writtenBy: 'accepted change', boundedBy: '10 of a paymaster' },
  contracts: { writtenBy: 'accepted change', boundedBy: '1,000 of a paymaster, each with an ABI of 512 KiB' },
  ticket_keys: { writtenBy: 'accepted change', boundedBy: '10 of a paymaster' },
  webhooks: { writtenBy: 'accepted change', boundedBy: '20 of a paymaster' },
  webhook_answers: { writtenBy: 'any request', boundedBy: 'the newest 200 of a webhook' },
  webhook_notices: { writtenBy: 'any request', boundedBy: 'one for each webhook' },
  funding_messages: { writtenBy: 'accepted change', boundedBy: 'one for each paymaster' },
  funding_wallets: { writtenBy: 'accepted change', boundedBy: 'one for each change that a wallet has signed' },
  policies: { writtenBy: 'accepted change', boundedBy: 'one for each paymaster' },
  named_policies: { writtenBy: 'accepted change', boundedBy: '50 of a paymaster' },
  notifications: { writtenBy: 'accepted change', boundedBy: '10 of a paymaster' },
  notification_deliveries: {
    writtenBy: 'signature',
    boundedBy: '30 days; those that an account asks for, 20,000 a day',
  },
  audit_log: {
    writtenBy: 'accepted change',
    boundedBy: '20,000 changes of an account and day, each of at most 16 KB; `auditLog.keepDays`',
  },
  audit_log_keys: { writtenBy: 'accepted change', boundedBy: 'a few for each row of `audit_log`, deleted with it' },
  audit_log_pruning: { writtenBy: 'operator', boundedBy: 'one, within a transaction' },
  decisions: { writtenBy: 'any request', boundedBy: '`decisions.keepDays` and `decisions.keepMost`' },
  kept_decisions: { writtenBy: 'any request', boundedBy: 'one for each paymaster and account' },
  counted_decisions: { writtenBy: 'any request', boundedBy: 'one' },
  usage_sums: {
    writtenBy: 'any request',
    boundedBy:
      '400 days; on each a few fixed ones, those of registered methods, 1,000 of signed senders, methods and codes, one for each relayed method, and 90 for costs of as many digits',
  },
  quotes: { writtenBy: 'any request', boundedBy: 'deleted when their price ends' },
  shared_limits: { writtenBy: 'any request', boundedBy: 'one for each client of the last minutes' },
  ledger_accounts: {
    writtenBy: 'signature',
    boundedBy:
      'one for each limit and sender until two days after its window, one for each ticket, one for each sender and client until 14 days after nothing is open, and for good one for each paymaster and month that asked another paymaster',
  },
  limit_numbers: { writtenBy: 'signature', boundedBy: 'one for each limit in force' },
  ended_limits: { writtenBy: 'accepted change', boundedBy: 'until the next sweep, which deletes their accounts' },
  counters: { writtenBy: 'signature', boundedBy: 'two' },
  forgotten_tickets: { writtenBy: 'signature', boundedBy: 'one for each paymaster' },
  signed_terms: { writtenBy: 'signature', boundedBy: 'deleted when the hold ends' },
  holds: { writtenBy: 'signature', boundedBy: ofOperation },
  signatures: { writtenBy: 'signature', boundedBy: ofOperation },
  relayed_operations: { writtenBy: 'signature', boundedBy: ofOperation },
  tanks: { writtenBy: 'signature', boundedBy: 'one for each funding wallet of a paymaster contract' },
  contract_totals: { writtenBy: 'chain', boundedBy: 'one for each paymaster contract' },
  journal: {
    writtenBy: 'chain',
    boundedBy: 'one for each event of a paymaster contract; archived with `ledger.keepDays`',
  },
  token_payments: { writtenBy: 'chain', boundedBy: 'one for each payment of an operation' },
  tank_days: { writtenBy: 'chain', boundedBy: 'a few for each tank, paymaster and day, after 400 days for each month' },
  archived_entries: { writtenBy: 'chain', boundedBy: 'a few for each tank and month' },
  contract_watches: { writtenBy: 'chain', boundedBy: 'one for each paymaster contract' },
  passed_blocks: { writtenBy: 'chain', boundedBy: 'the last blocks of each chain' },
  ledger_states: { writtenBy: 'chain', boundedBy: 'one for each paymaster contract' },
  hot_wallet_transfers: {
    writtenBy: 'chain',
    boundedBy: "one for each transaction of the operator's wallet; archived with `ledger.keepDays`",
  },
  ledger_archive: { writtenBy: 'operator', boundedBy: 'one' },
  chain_settings: { writtenBy: 'operator', boundedBy: 'one for each chain' },
  contract_signers: { writtenBy: 'operator', boundedBy: 'one for each change of a signer' },
  write_probe: { writtenBy: 'operator', boundedBy: 'one' },
  master_keys: { writtenBy: 'operator', boundedBy: 'one for each master key' },
  retired_digest_keys: { writtenBy: 'operator', boundedBy: 'one for each former master key' },
};
