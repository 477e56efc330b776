import { signUpModes } from '@tollfree/contract/sign-in/session';
import { z } from 'zod';

const count = z.number();

const PartSchema = z.object({
  part: z.string(),
  ready: z.boolean(),
  detail: z.string(),
  optional: z.literal(true).optional(),
});

/** Which program a process runs; `commit` is `unknown` where it runs from its sources. */
const BuildSchema = z.object({
  process: z.string(),
  version: z.string(),
  commit: z.string(),
  schema: z.string(),
  node: z.string(),
});

const AskedSchema = z.object({
  answered: count,
  failed: count,
  /** Of the questions that were answered or failed; absent before the first. */
  averageMs: z.number().optional(),
});

const ContractSchema = z.object({
  version: z.string(),
  family: z.string(),
  address: z.string(),
  entryPointVersion: z.string(),
  /** At the EntryPoint, in wei. */
  depositWei: z.string().optional(),
  heldWei: z.string().optional(),
  /** What the chain has more than the ledger, in wei. 0 where they agree. */
  differenceWei: z.string().optional(),
  /** The last block that the ledger has. */
  atBlock: z.string().optional(),
  tanksInUse: count.optional(),
  tanksLow: count.optional(),
});

/** A key of a paymaster contract; nothing of it is secret. Times are Unix seconds. */
const SignerSchema = z.object({
  contract: z.string(),
  signer: z.string(),
  /** `signs`, `not-trusted` (by the contract), `stands-by` (an older one), `not-asked` yet or `former`. */
  state: z.string(),
  /** Where the key is, and since when it does not sign there. */
  places: z.array(z.object({ kind: z.string(), awaySince: count.optional() })),
  since: count.optional(),
  until: count.optional(),
  /** Of one that has ceased to sign: until when the contract has to accept it. */
  openUntil: count.optional(),
});

/** One of the tanks that last shortest. Wei as a rounded number: the ledger has it exactly. */
const TankSchema = z.object({
  contract: z.string(),
  wallet: z.string(),
  availableWei: z.number(),
  daysLeft: z.number().optional(),
});

const ChainSchema = z.object({
  chainId: z.int(),
  name: z.string(),
  coinUsd: z.number().optional(),
  contracts: z.array(ContractSchema),
  signers: z.array(SignerSchema),
  /** In the order of `nodeUrls`; those that were asked since the process began. */
  nodes: z.array(AskedSchema.extend({ node: z.string() })),
  bundler: AskedSchema.optional(),
  tanks: z.array(TankSchema),
});

/** The service at a glance, for its operator: `/status.json` of the admin listener. */
export const OperatorStatusSchema = z.object({
  ready: z.boolean(),
  /** What is wrong, and what fixes it. Empty when nothing is. */
  problems: z.array(z.object({ what: z.string(), remedy: z.string() })),
  parts: z.array(PartSchema),
  /** Which programs answer: this process and, where it is another one, its core. */
  builds: z.array(BuildSchema),
  chains: z.array(ChainSchema),
  database: z.object({ bytes: count.optional(), freeBytes: count.optional() }),
  notificationsPending: count.optional(),
  /** Who gets an account by signing in; absent where no one signs in from a browser. */
  signUp: z.enum(signUpModes).optional(),
});
export type OperatorStatus = z.infer<typeof OperatorStatusSchema>;
export type OperatorChain = OperatorStatus['chains'][number];
export type OperatorSigner = OperatorChain['signers'][number];
export type OperatorContract = OperatorChain['contracts'][number];
