import { type FigureForm, questionSeconds } from './figure-form.ts';

/** What the core tells about itself. The page about operations has this list as a table, which `npm run generate` writes. */
export const coreFigures = {
  decisions: {
    name: 'tollfree_decisions_total',
    kind: 'counter',
    labels: ['chain', 'outcome', 'mode', 'reason'],
    help: 'Answers about operations. outcome: signed, quoted, stub or refused; mode: SPONSORED, ERC20 or none while it was not known; reason: of a refusal, else none; chain: an id of the configuration or other.',
  },
  nodeSeconds: {
    name: 'tollfree_node_question_seconds',
    kind: 'histogram',
    labels: ['chain', 'node', 'outcome'],
    help: 'How long a node took. node: its place in nodeUrls, from 1, as in the log; outcome: answered, failed, or dropped where another one was faster.',
    buckets: questionSeconds,
  },
  bundlerSeconds: {
    name: 'tollfree_bundler_question_seconds',
    kind: 'histogram',
    labels: ['chain', 'outcome'],
    help: 'How long the bundler took. outcome: answered or failed.',
    buckets: questionSeconds,
  },
  priceSeconds: {
    name: 'tollfree_price_source_seconds',
    kind: 'histogram',
    labels: ['chain', 'source', 'outcome'],
    help: 'How long a price source took when it was read. source: its kind, with the address or the host; outcome: answered or failed.',
    buckets: questionSeconds,
  },
  webhookSeconds: {
    name: 'tollfree_webhook_seconds',
    kind: 'histogram',
    labels: ['outcome'],
    help: 'How long webhooks took to decide, waiting for their turn included. outcome: approved, refused or unavailable.',
    buckets: questionSeconds,
  },
  entries: {
    name: 'tollfree_gas_tank_entries_total',
    kind: 'counter',
    labels: ['chain', 'contract', 'kind', 'reversal'],
    help: 'New entries of gas tanks since the process began, by kind; a hold that ends, landed or not, has a release, and one that landed a settle. reversal: yes for one that takes another back after a reorganisation.',
  },
  entriesWei: {
    name: 'tollfree_gas_tank_entries_wei_total',
    kind: 'counter',
    labels: ['chain', 'contract', 'kind', 'reversal'],
    help: 'Their amounts in wei: those of settle are what operations cost.',
  },
  landed: {
    name: 'tollfree_landed_operations_total',
    kind: 'counter',
    labels: ['chain', 'contract', 'mode', 'success'],
    help: 'Signed operations that landed. success: no where the call of the operation reverted, which costs all the same.',
  },
  unpaidWei: {
    name: 'tollfree_unpaid_wei_total',
    kind: 'counter',
    labels: ['chain', 'contract'],
    help: 'What tanks paid for operations in token mode whose users did not pay, in wei.',
  },
  costUsd: {
    name: 'tollfree_cost_usd_total',
    kind: 'counter',
    labels: ['chain'],
    help: 'What operations cost, in USD at the price when they were counted; waits while there is no price.',
  },
  coinUsd: {
    name: 'tollfree_coin_price_usd',
    kind: 'gauge',
    labels: ['chain'],
    help: 'Price of the chain’s coin in USD; absent while the sources agree on none.',
  },
  deposit: {
    name: 'tollfree_contract_deposit_wei',
    kind: 'gauge',
    labels: ['chain', 'contract'],
    help: 'Deposit of a paymaster contract at the EntryPoint as last seen, in wei.',
  },
  contractAvailable: {
    name: 'tollfree_contract_available_wei',
    kind: 'gauge',
    labels: ['chain', 'contract'],
    help: 'The same less all that is held: what can still be signed for, by all tanks together, in wei. Below 0 the deposit does not cover what is signed.',
  },
  tanksInUse: {
    name: 'tollfree_gas_tanks_in_use',
    kind: 'gauge',
    labels: ['chain', 'contract'],
    help: 'Gas tanks that paid for an operation in the last 7 days.',
  },
  tanksLow: {
    name: 'tollfree_gas_tanks_low',
    kind: 'gauge',
    labels: ['chain', 'contract'],
    help: 'Those of them that last less than 3 days at the rate of these 7.',
  },
  tankAvailable: {
    name: 'tollfree_gas_tank_available_wei',
    kind: 'gauge',
    labels: ['chain', 'contract', 'wallet'],
    help: 'What the 20 tanks of a contract that last shortest can still promise, by the books, in wei. wallet: the funding wallet.',
  },
  tankDays: {
    name: 'tollfree_gas_tank_days_left',
    kind: 'gauge',
    labels: ['chain', 'contract', 'wallet'],
    help: 'How many days those 20 last at the rate of the last 7.',
  },
  notificationsPending: {
    name: 'tollfree_notifications_pending',
    kind: 'gauge',
    labels: [],
    help: 'Notifications that are still to be delivered.',
  },
  databaseBytes: {
    name: 'tollfree_database_bytes',
    kind: 'gauge',
    labels: ['file'],
    help: 'Size of the database. file: main or wal.',
  },
  databaseFree: {
    name: 'tollfree_database_disk_free_bytes',
    kind: 'gauge',
    labels: [],
    help: 'Free space of the disk that it is on.',
  },
} as const satisfies Record<string, FigureForm>;
