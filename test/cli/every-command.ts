/** Where the commands of {@link everyCommand} run. */
export type CommandContext = {
  /** Has `abi.json`, `wallet.json`, `password`, `payer.key`, `request.json`, `policy.json` and, with no change in it, `policies.json`. */
  readonly folder: string;
  readonly adminUrl: string;
  readonly chainId: number;
  /** A contract that is not registered. */
  readonly target: string;
  readonly accountId: string;
  readonly paymasterId: string;
  readonly blockNumber: bigint;
  /** What an earlier command answered, by its words; an array's first entry stands for it. */
  said(command: string): Readonly<Record<string, unknown>>;
};

type Row = readonly [
  command: string,
  args: (location: CommandContext) => readonly string[],
  outcome?: 'refused' | 'review',
];

const none = () => [];
const wallet = '0x00000000000000000000000000000000000000cc';
const payer = ({ folder }: CommandContext) => ['--contract', '1.0.0', '--key-file', `${folder}/payer.key`];
const webhook = ({ said }: CommandContext) => [String(said('webhook create').webhookId)];
const named = ({ said }: CommandContext) => [String(said('policy create').policyId)];
const cafe = ({ said }: CommandContext) => [String(said('paymaster create').paymasterId)];
const atCafe = (location: CommandContext) => ['--paymaster', ...cafe(location)];
const ofCafe = (location: CommandContext) => [...atCafe(location), String(location.said('key create').apiKeyId)];
const notification = ({ said }: CommandContext) => [String(said('notification create').notificationId)];

/** Each command that answers, in an order in which each finds what it needs, with what it is given next to its target. */
export const everyCommand: readonly Row[] = [
  ['version', none],
  ['config check', none],
  ['account create', () => ['Another']],
  ['account list', none],
  ['account update', ({ said }) => [String(said('account create').accountId), '--active', 'no']],
  ['auth-token issue', ({ accountId }) => [accountId, '--name', 'second']],
  ['auth-token list', ({ accountId }) => [accountId]],
  ['auth-token revoke', ({ accountId, said }) => [accountId, String(said('auth-token issue').authTokenId)]],
  ['backup', ({ folder }) => ['--out', `${folder}/copy.db`]],
  ['restore', ({ folder }) => [`${folder}/none.db`], 'refused'],
  ['migrate', ({ folder }) => ['--from', `sqlite:${folder}/none.db`, '--to', 'postgres://127.0.0.1:1/none'], 'refused'],
  ['audit', none],
  ['audit log', () => ['--operation', 'createAccount']],
  ['status', ({ adminUrl }) => ['--admin', adminUrl]],
  ['master-key status', none],
  ['keystore status', none],
  ['keystore create', ({ folder }) => ['--out', `${folder}/new.json`, '--password-file', `${folder}/password`]],
  ['paymaster-contract status', none],
  ['paymaster-contract deploy', (location) => ['--family', 'pimlico-singleton-0.6', ...payer(location).slice(2)]],
  ['paymaster-contract add-signer', (location) => [wallet, ...payer(location)]],
  ['paymaster-contract remove-signer', (location) => [wallet, ...payer(location)]],
  ['paymaster-contract stake', (location) => ['1 gwei', ...payer(location)]],
  ['paymaster-contract deposit', (location) => ['1 gwei', ...payer(location)]],
  ['paymaster-contract withdraw', (location) => ['1 gwei', ...payer(location)]],
  ['account-code add', ({ target }) => [target, '--reads-like', 'INFINITISM 1.0.0', '--used-as', 'factory']],
  ['account-code list', none],
  ['account-code remove', () => [`0x${'ab'.repeat(32)}`], 'refused'],
  ['simulation-code status', none],
  ['simulation-code deploy', (location) => payer(location).slice(2)],
  [
    'paymaster create',
    ({ chainId }) => ['cafe', '--chain-id', `${chainId}`, '--paymaster-version', '2.0.0', '--daily-limit', '20'],
  ],
  ['paymaster list', none],
  ['paymaster chains', none],
  ['paymaster update', (location) => [...cafe(location), '--name', 'bar', '--active', 'yes']],
  ['use', none],
  ['key list', atCafe],
  ['key create', (location) => [...atCafe(location), 'web']],
  ['key update', (location) => [...ofCafe(location), '--name', 'app', '--limits', 'DAY:OPERATIONS:5', '--rate', '5:9']],
  ['key rotate', (location) => [...atCafe(location), '--grace-seconds', '60']],
  ['key end', ofCafe],
  ['ticket-key create', (location) => [...atCafe(location), 'backend']],
  ['ticket-key list', atCafe],
  ['ticket-key delete', (location) => [...atCafe(location), String(location.said('ticket-key create').ticketKeyId)]],
  ['paymaster retire', (location) => [...cafe(location), '--confirm', 'bar']],
  ['contract register', ({ folder, target }) => ['two', '--address', target, '--abi', `${folder}/abi.json`]],
  ['contract list', none],
  ['contract update', ({ target }) => [target, '--whitelist', 'increment']],
  ['contract delete', ({ target }) => [target]],
  ['policy show', none],
  ['policy preview', ({ folder }) => [`${folder}/policy.json`]],
  ['policy set', ({ folder }) => [`${folder}/policy.json`]],
  ['policy set-cap', () => ['0.02 ether', '1.50 USD']],
  ['policy create', ({ folder }) => ['Players', `${folder}/policy.json`, '--author', 'Example Games']],
  ['policy list', none],
  ['policy update', (location) => [...named(location), '--active', 'no']],
  ['policy export', none],
  ['policy diff', ({ folder }) => [`${folder}/policies.json`], 'review'],
  ['policy apply', ({ folder }) => [`${folder}/policies.json`, '--yes']],
  ['policy delete', named],
  ['webhook create', () => ['http://127.0.0.1:1/ask']],
  ['webhook list', webhook],
  ['webhook update', (location) => [...webhook(location), '--active', 'no']],
  ['webhook test', webhook],
  ['webhook answers', webhook],
  ['webhook secret', webhook],
  ['webhook delete', webhook],
  ['funding set-wallet', none],
  ['session list', none],
  ['session revoke', () => ['--all']],
  ['budget create', () => ['all', '--max', '250.00', '--window', 'month']],
  ['budget list', none],
  ['budget set', ({ said }) => [String(said('budget create').budgetId), '--max', '100']],
  ['budget delete', ({ said }) => [String(said('budget create').budgetId)]],
  ['member add', () => [wallet, '--role', 'viewer']],
  ['member list', none],
  ['member set', () => [wallet, '--role', 'manager']],
  ['member rename', () => [wallet, 'Ada']],
  ['member remove', () => [wallet]],
  ['token create', () => ['third']],
  ['token list', none],
  ['token revoke', ({ said }) => [String(said('token create').authTokenId)]],
  ['notification create', () => ['http://127.0.0.1:1/told', '--events', 'operation.settled']],
  ['notification list', none],
  ['notification update', (location) => [...notification(location), '--events', 'operation.failed']],
  ['notification secret', notification],
  ['notification test', notification],
  ['notification deliveries', none],
  ['notification redeliver', () => ['00000000-0000-4000-8000-000000000000'], 'refused'],
  ['notification delete', notification],
  ['decisions', none],
  ['why', ({ said }) => [String(said('decisions').decisionId)]],
  ['explain', ({ folder }) => [`${folder}/request.json`]],
  ['usage', none],
  ['ledger check', none],
  ['ledger holds', ({ chainId }) => ['--chain', `${chainId}`]],
  ['ledger release', ({ chainId }) => ['--chain', `${chainId}`, '--hold', '99', '--reason', 'nothing'], 'refused'],
  ['ledger archive', ({ folder }) => ['--older-than', '90d', '--out', `${folder}/archive.jsonl.gz`]],
  ['ledger read-archive', ({ folder }) => [`${folder}/archive.jsonl.gz`]],
  ['ledger resume', none, 'refused'],
  ['ledger revert', ({ chainId, blockNumber }) => ['--chain', `${chainId}`, '--block', `${blockNumber}`]],
  ['hot-wallet', none, 'refused'],
  ['tank show', none],
  ['tank entries', none],
  ['tank statement', none],
  ['tank credit', ({ paymasterId }) => ['1 gwei', '--paymaster', paymasterId, '--reason', 'a present']],
  ['tank debit', ({ paymasterId }) => ['1 gwei', '--paymaster', paymasterId, '--reason', 'taken back']],
];
