import { z } from 'zod';
import { managementErrors } from './errors.ts';
import { address, seconds } from './fields/forms.ts';
import { operation } from './operation.ts';
import { signUpModes } from './sign-in/session.ts';

const count = z.number();

export const PartSchema = z.object({
  part: z.string(),
  ready: z.boolean(),
  detail: z.string().describe('For people: what is wrong, or what was found in order.'),
  optional: z.literal(true).optional().describe('True: the rest of the service works without it.'),
});

const BuildSchema = z.object({
  process: z.string(),
  version: z.string(),
  commit: z.string().describe('`unknown` where the process runs from its sources.'),
  schema: z.string().describe('Version of the database schema.'),
  node: z.string().describe('Version of Node.js.'),
});

const askedFields = {
  answered: count.describe('Questions since the process started.'),
  failed: count,
  averageMs: z.number().optional().describe('Of the questions that were answered or failed. Absent before the first.'),
};

const NodeSchema = z.object({
  node: z.string().describe('The position in `nodeUrls`, from 1.'),
  host: z.string().optional().describe('The host of its URL, with long parts masked.'),
  isAsked: z.boolean().optional().describe('True: requests go to this node first.'),
  isResting: z.boolean().optional().describe('True: it failed or was slow, and others are asked first.'),
  head: count.optional().describe('The newest block it has reported in the last minute.'),
  behind: count.optional().describe('How many blocks it is behind the furthest node.'),
  ...askedFields,
});

const ContractSchema = z.object({
  version: z.string(),
  family: z.string(),
  address: z.string(),
  entryPointVersion: z.string(),
  depositWei: z.string().optional().describe('Deposit at the EntryPoint, in wei.'),
  stakeWei: z.number().optional().describe('Stake at the EntryPoint, in wei, rounded.'),
  heldWei: z.string().optional().describe('Held for signatures, in wei.'),
  differenceWei: z.string().optional().describe('What the chain has more than the ledger, in wei; 0 if they agree.'),
  atBlock: z.string().optional().describe('The last block in the ledger.'),
  tanksInUse: count.optional(),
  tanksLow: count.optional(),
});

export const SignerSchema = z.object({
  contract: z.string(),
  signer: z.string(),
  state: z
    .string()
    .describe(
      '`signs`, `not-trusted` by the contract, `stands-by`, `not-asked` yet, or `former`: no longer configured.',
    ),
  places: z
    .array(
      z.object({
        kind: z.string().describe('Where the key is, such as `keystore` or `aws-kms`.'),
        awaySince: seconds.optional().describe('Unix seconds since when it does not sign there. Absent while it does.'),
      }),
    )
    .describe('In the order in which they are asked. Empty for a former key.'),
  since: seconds.optional().describe('Unix seconds at which it began to sign.'),
  until: seconds.optional(),
  openUntil: seconds
    .optional()
    .describe('Unix seconds until when the contract has to accept a former key. Absent once it need not.'),
});

const TankSchema = z.object({
  contract: z.string(),
  wallet: z.string(),
  availableWei: z.number().describe('In wei, rounded. The ledger has the exact amount.'),
  daysLeft: z.number().optional(),
});

const VendorWindowSchema = z.object({ spentUsd: z.number(), budgetUsd: z.number() });

const ChainSchema = z.object({
  chainId: z.int(),
  name: z.string(),
  headAt: count
    .optional()
    .describe('Time of the newest known block, in Unix seconds. Absent if it is too old to sign by.'),
  coinUsd: z.number().optional().describe('Price of the coin. Absent while the sources do not agree.'),
  prices: z
    .array(
      z.object({
        source: z.string().describe('Its kind, with the address or the host.'),
        answeredAt: count.describe('When it last answered, in Unix seconds.'),
      }),
    )
    .optional()
    .describe('Price sources of the coin and of tokens that have answered.'),
  gasPrices: z
    .array(z.object({ step: z.string().describe('Such as `new slot` or `transaction`.'), gas: count }))
    .optional()
    .describe('What the chain charges for each step, as measured.'),
  contracts: z.array(ContractSchema),
  signers: z.array(SignerSchema),
  nodes: z.array(NodeSchema).describe('In the order of `nodeUrls`.'),
  bundler: z.object(askedFields).optional(),
  relay: z
    .object({
      heldWei: z.string().optional().describe('Held for operations to relay, in wei.'),
      differenceWei: z.string().optional().describe('What the executors have more than the ledger, in wei.'),
      executors: z.array(z.object({ executor: z.string(), balanceWei: z.number().describe('In wei, rounded.') })),
    })
    .optional(),
  vendor: z.object({ day: VendorWindowSchema, month: VendorWindowSchema }).optional(),
  hotWallet: z
    .object({
      wallet: z.string().optional().describe('Absent while no node reports its balance.'),
      balanceWei: z.number().optional().describe('In wei, rounded.'),
      sentWei: z.number().describe('Transfers of the last 24 hours with their highest gas fee, in wei, rounded.'),
      maxPerDayWei: z.number().describe('The most that may leave the wallet in 24 hours, in wei, rounded.'),
      blocked: z
        .string()
        .optional()
        .describe('Why a refill or an authorization that is due is not sent. Absent while none waits.'),
    })
    .optional()
    .describe('The wallet that tops up executors and deposits.'),
  tanks: z.array(TankSchema).describe('Those that run out first.'),
});

export const AccountSchema = z.object({
  accountId: z.string().describe('Identifies the account in every other call.'),
  name: z.string(),
  createdAt: seconds,
  wallet: address
    .optional()
    .describe(
      'The wallet that created it, or that the operator has linked. It is a member, and no other account’s own.',
    ),
  invited: z.literal(true).optional().describe('True: its wallet was invited and has not signed in yet.'),
  suspendedAt: seconds
    .optional()
    .describe('Unix seconds. From then on no one can sign in, and its authTokens are not accepted.'),
});

/** How many of the newest accounts the operator's view lists. */
export const maxListedAccounts = 100;

/** The service's status overview for its operator. Contains no secrets. */
export const OperatorStatusSchema = z.object({
  ready: z.boolean(),
  problems: z.array(z.object({ what: z.string(), remedy: z.string() })).describe('What is wrong, and what fixes it.'),
  parts: z.array(PartSchema),
  builds: z.array(BuildSchema).describe('The programs that answer: this process and, if it is another one, its core.'),
  chains: z.array(ChainSchema),
  database: z.object({ bytes: count.optional(), freeBytes: count.optional() }),
  notificationsPending: count.optional(),
  signUp: z
    .enum(signUpModes)
    .optional()
    .describe('Who gets an account by signing in. Absent where no one signs in from a browser.'),
  accounts: z.array(AccountSchema).optional().describe(`The newest ${maxListedAccounts}, newest first.`),
  limits: z.record(z.string(), z.number()).optional().describe('Limits of this gateway.'),
});
export type OperatorStatus = z.infer<typeof OperatorStatusSchema>;
export type OperatorChain = OperatorStatus['chains'][number];
export type OperatorSigner = OperatorChain['signers'][number];
export type OperatorContract = OperatorChain['contracts'][number];

/** Reserved to the operator: owners of the accounts in `dashboard.operators` of the configuration. */
export const operatorOperations = {
  read: operation('getOperatorView', {
    method: 'GET',
    path: '/operator',
    summary: 'Read the state of the whole service, as its operator',
    credentials: 'account',
    scopes: [],
    message: 'Operator view fetched',
    data: OperatorStatusSchema,
    // For everyone else the route does not exist.
    unauthorized: managementErrors.pathNotFound,
    inBrowser: true,
    calls: 'readMetrics',
  }),
} as const;
