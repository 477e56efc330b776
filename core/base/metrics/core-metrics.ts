import { counter, gauge, histogram, type MetricDefinition, questionSeconds } from './metric-registry.ts';

/** The core's metrics. `npm run generate` writes them as a table into the operations page. */
export const coreMetrics = {
  decisions: {
    ...counter('tollfree_decisions_total', 'chain', 'outcome', 'mode', 'reason'),
    help: 'Answers about operations. outcome: signed, quoted, stub or refused; mode: SPONSORED, ERC20, or none if unknown; reason: the refusal’s reason, else none; chain: a configured chain id, or other.',
  },
  nodeSeconds: {
    ...histogram('tollfree_node_question_seconds', 'chain', 'node', 'outcome'),
    help: 'Response time of a node. node: its position in nodeUrls, from 1, as in the log; outcome: answered, failed, or dropped if another node was faster.',
    buckets: questionSeconds,
  },
  nodeRests: {
    ...gauge('tollfree_node_resting', 'chain', 'node', 'host'),
    help: 'Whether a node failed or was slow, so that others are asked first. node: its position in nodeUrls, from 1; host: of its URL, with long parts masked.',
  },
  nodeHead: {
    ...gauge('tollfree_node_head_block', 'chain', 'node'),
    help: 'Newest block that a node has reported in the last minute. Absent for a node that was not asked.',
  },
  chainHeadTime: {
    ...gauge('tollfree_chain_head_timestamp_seconds', 'chain'),
    help: 'Time of the newest known block, in Unix seconds. Absent once it is too old to sign by.',
  },
  stepGas: {
    ...gauge('tollfree_chain_step_gas', 'chain', 'step'),
    help: 'Gas that the chain charges for a step, as measured. step: such as new slot or transaction.',
  },
  bundlerSeconds: {
    ...histogram('tollfree_bundler_question_seconds', 'chain', 'outcome'),
    help: 'Response time of the bundler. outcome: answered or failed.',
    buckets: questionSeconds,
  },
  bundlerCalls: {
    ...counter('tollfree_bundler_calls_total', 'chain', 'operation', 'outcome'),
    help: 'Requests of clients for the bundler. operation: as in the gRPC service, such as sendUserOperation; outcome: answered, refused by the bundler, unavailable, or denied before the bundler was asked; chain: a configured chain id, or other.',
  },
  priceSeconds: {
    ...histogram('tollfree_price_source_seconds', 'chain', 'source', 'outcome'),
    help: 'Response time of a price source. source: its kind, with the address or the host; outcome: answered or failed.',
    buckets: questionSeconds,
  },
  priceReadAt: {
    ...gauge('tollfree_price_source_answered_timestamp_seconds', 'chain', 'source'),
    help: 'When a price source last answered, in Unix seconds. source: its kind, with the address or the host.',
  },
  webhookSeconds: {
    ...histogram('tollfree_webhook_seconds', 'outcome'),
    help: 'Response time of webhooks, queueing included. outcome: approved, refused or unavailable.',
    buckets: questionSeconds,
  },
  vendorQuestions: {
    ...counter('tollfree_vendor_questions_total', 'chain', 'method', 'outcome'),
    help: 'Questions to the vendor’s paymaster. outcome: answered, refused, unusable if its answer was not accepted, or failed if it was silent, slow or answered with HTTP status 5xx.',
  },
  vendorUsd: {
    ...counter('tollfree_vendor_sponsored_usd_total', 'chain'),
    help: 'Worst case of operations that the vendor’s paymaster sponsored, in USD. The vendor’s bill is lower.',
  },
  signerSeconds: {
    ...histogram('tollfree_signer_seconds', 'chain', 'place', 'outcome'),
    help: 'Response time of remote signers. place: the position among the signers that have the key, from 1, and its kind; outcome: signed, late, failed, or wrong if the key cannot have made the signature.',
    buckets: questionSeconds,
  },
  entries: {
    ...counter('tollfree_gas_tank_entries_total', 'chain', 'contract', 'kind', 'reversal'),
    help: 'New gas tank entries since the process started, by kind: settle for what a tank paid, release for a hold that another operation of its nonce ended, or the operator. reversal: yes if the entry reverses another one after a reorg.',
  },
  entriesWei: {
    ...counter('tollfree_gas_tank_entries_wei_total', 'chain', 'contract', 'kind', 'reversal'),
    help: 'Amounts of these entries in wei; those of settle are the cost of operations.',
  },
  landed: {
    ...counter('tollfree_landed_operations_total', 'chain', 'contract', 'mode', 'success'),
    help: 'Signed operations that landed. success: no if the operation’s call reverted; it costs gas nevertheless.',
  },
  unpaidWei: {
    ...counter('tollfree_unpaid_wei_total', 'chain', 'contract'),
    help: 'Paid by tanks for operations in token mode whose users did not pay, in wei.',
  },
  expiredHolds: {
    ...counter('tollfree_expired_holds_total', 'chain', 'contract'),
    help: 'Holds that ended because nothing signed under them landed in time.',
  },
  costWithoutTankWei: {
    ...counter('tollfree_cost_without_tank_wei_total', 'chain', 'contract'),
    help: 'Cost of landed operations that no tank’s signature explains, in wei. The contract’s deposit paid for them.',
  },
  costUsd: {
    ...counter('tollfree_cost_usd_total', 'chain'),
    help: 'Cost of operations in USD, at the price when they were counted. Not updated while there is no price.',
  },
  coinUsd: {
    ...gauge('tollfree_coin_price_usd', 'chain'),
    help: 'Price of the chain’s coin in USD. Absent while the sources do not agree.',
  },
  deposit: {
    ...gauge('tollfree_contract_deposit_wei', 'chain', 'contract'),
    help: 'Last known deposit of a paymaster contract at the EntryPoint, in wei.',
  },
  stake: {
    ...gauge('tollfree_contract_stake_wei', 'chain', 'contract'),
    help: 'Stake of a paymaster contract at the EntryPoint, in wei. At most ten minutes old.',
  },
  executorBalance: {
    ...gauge('tollfree_relay_executor_wei', 'chain', 'contract', 'executor'),
    help: 'Last known balance of each executor of a relay, in wei. contract: the EntryPoint that the relay goes by.',
  },
  vendorSpent: {
    ...gauge('tollfree_vendor_spent_usd', 'chain', 'window'),
    help: 'What the budget for the vendor’s paymaster has come to, in USD. window: day or month, in UTC.',
  },
  vendorBudget: {
    ...gauge('tollfree_vendor_budget_usd', 'chain', 'window'),
    help: 'The budget for the vendor’s paymaster, in USD. window: day or month.',
  },
  addedCodes: {
    ...gauge('tollfree_added_account_codes', 'chain'),
    help: 'Account code that the operator has made known, in entries of implementations, proxies, factories and helpers. Cores that differ read different configuration files.',
  },
  contractAvailable: {
    ...gauge('tollfree_contract_available_wei', 'chain', 'contract'),
    help: 'The deposit minus all holds: what all tanks together can still sign for, in wei. Below 0, the deposit does not cover what is signed.',
  },
  tanksInUse: {
    ...gauge('tollfree_gas_tanks_in_use', 'chain', 'contract'),
    help: 'Gas tanks that paid for an operation in the last 7 days.',
  },
  tanksLow: {
    ...gauge('tollfree_gas_tanks_low', 'chain', 'contract'),
    help: 'Gas tanks that last less than 3 days at the rate of the last 7 days.',
  },
  tankAvailable: {
    ...gauge('tollfree_gas_tank_available_wei', 'chain', 'contract', 'wallet'),
    help: 'Available balance in wei of the 20 tanks per contract that run out first, according to the ledger. wallet: the funding wallet.',
  },
  tankDays: {
    ...gauge('tollfree_gas_tank_days_left', 'chain', 'contract', 'wallet'),
    help: 'Days that each of these 20 tanks lasts at the rate of the last 7 days.',
  },
  hotWalletWallet: {
    ...gauge('tollfree_hot_wallet_wei', 'chain', 'wallet'),
    help: 'Balance of the hot wallet in wei, from the core that tops up. Absent while no node reports it.',
  },
  hotWalletSent: {
    ...gauge('tollfree_hot_wallet_sent_wei', 'chain'),
    help: 'What counts for maxPerDay of the hot wallet now: transfers of the last 24 hours with their highest gas fee, in wei.',
  },
  hotWalletCap: {
    ...gauge('tollfree_hot_wallet_max_per_day_wei', 'chain'),
    help: 'maxPerDay of the hot wallet, in wei.',
  },
  hotWalletBlocked: {
    ...gauge('tollfree_hot_wallet_blocked', 'chain', 'reason'),
    help: '1 while a refill is due and not sent, or has not landed. reason: nodes (too few answer), wallet (too little coin), cap (maxPerDay is used up), fees (gas is too expensive), stuck (a transfer does not land), nonce (the wallet sends elsewhere too), shared (it is a funding wallet) or fault (see the log).',
  },
  notificationsPending: {
    ...gauge('tollfree_notifications_pending'),
    help: 'Notifications that are waiting for delivery.',
  },
  databaseBytes: {
    ...gauge('tollfree_database_bytes', 'file'),
    help: 'Size of the database. file: main or wal.',
  },
  databaseFree: {
    ...gauge('tollfree_database_disk_free_bytes'),
    help: 'Free space on the database’s disk.',
  },
} as const satisfies Record<string, MetricDefinition>;
