import type { KeyLimit } from '../domain/api-key-rules.ts';
import type { NamedPolicy } from '../domain/named-policy.ts';
import type { ApiKeySettings, Paymaster } from '../domain/paymaster.ts';
import type { Policy } from '../domain/policy.ts';
import type { CallRules } from '../policies/call-rules/call-rules.ts';
import type { CalledLimits } from '../policies/called-limits.ts';
import type { SponsoredContracts } from '../policies/rules/ruling.ts';
import type { TicketVerifier } from '../tickets/ticket.ts';
import type { CallableWebhook } from '../webhooks/webhook-caller.ts';
import type { LoadedPolicy } from './load-policy.ts';

/** The key that the request uses. */
export type AskingKey = ApiKeySettings & {
  /** The id of the apiKey; absent if the request has none. */
  readonly apiKeyId?: string;
  /** The number of the paymaster's key; replacing an apiKey keeps it. */
  readonly keyNumber: number;
  /** Whether it has any settings. */
  readonly isSet: boolean;
};

/**
 * A named policy that a request has chosen, with its rules on arguments and its limits, resolved against the registered
 * contracts.
 */
export type ChosenPolicy = Omit<NamedPolicy, 'enabled' | 'createdAt' | 'updatedAt'> &
  Pick<LoadedPolicy, 'callRules' | 'calledLimits'>;

/** A paymaster with everything that decides a sponsorship without I/O. */
export type SponsorProfile = {
  readonly paymaster: Paymaster;
  readonly key: AskingKey;
  /** The limits of its keys, by key number; only keys that have some. */
  readonly keyLimits: ReadonlyMap<number, readonly KeyLimit[]>;
  readonly contracts: SponsoredContracts;
  /** The active webhooks, in the order of registration. */
  readonly webhooks: readonly CallableWebhook[];
  /** The ticket keys, in the order of creation. */
  readonly ticketKeys: readonly TicketVerifier[];
  /** The default policy, also if the owner has set none. */
  readonly policy: Policy;
  /** The policy's rules on arguments, resolved against the registered contracts. */
  readonly callRules: CallRules;
  /** The calls that its limits on contracts and methods count. */
  readonly calledLimits: CalledLimits;
  /** The names of the policies that requests may choose instead of the default one, by id. */
  readonly named: ReadonlyMap<string, string>;
  /** The chosen named policy, in the profile of a request that chose one; absent for the default one. */
  readonly chosen?: ChosenPolicy;
  /**
   * The number of changes of the paymaster when this was read. Absent if no other process can change it, or if no decision
   * depends on it.
   */
  readonly changes?: number;
  /** The number of changes, always present: named policies are read for it. */
  readonly readAt: number;
  /** Approximate memory. */
  readonly bytes: number;
};
