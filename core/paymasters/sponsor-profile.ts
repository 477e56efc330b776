import type { KeyLimit } from '../domain/api-key-rules.ts';
import type { ApiKeySettings, Paymaster } from '../domain/paymaster.ts';
import type { NamedPolicy } from '../domain/policies/named-policy.ts';
import type { Policy } from '../domain/policy.ts';
import type { CallRules } from '../policies/call-rules/call-rules.ts';
import type { CalledLimits } from '../policies/called-limits/count-calls.ts';
import type { SponsoredContracts } from '../policies/rules/ruling.ts';
import type { TicketVerifier } from '../tickets/ticket.ts';
import type { CallableWebhook } from '../webhooks/webhook-caller.ts';
import type { LoadedPolicy } from './load-policy.ts';

/** The key that a request is made with. */
export type AskingKey = ApiKeySettings & {
  /** Of the apiKey itself; absent where no one asks with one. */
  readonly apiKeyId?: string;
  /** Which of the paymaster's keys: what replaces an apiKey has its number. */
  readonly keyNumber: number;
  /** Whether anything is set of it. */
  readonly isSet: boolean;
};

/**
 * A named policy that a request has chosen, with its rules on arguments and its limits for the contracts as they are
 * registered.
 */
export type ChosenPolicy = Omit<NamedPolicy, 'enabled' | 'createdAt' | 'updatedAt'> &
  Pick<LoadedPolicy, 'callRules' | 'calledLimits'>;

/** A paymaster with all that decides a sponsorship without I/O. */
export type SponsorProfile = {
  readonly paymaster: Paymaster;
  readonly key: AskingKey;
  /** The limits of each of its keys, by their numbers; of those that have some. */
  readonly keyLimits: ReadonlyMap<number, readonly KeyLimit[]>;
  readonly contracts: SponsoredContracts;
  /** The active ones, in the order they were registered. */
  readonly webhooks: readonly CallableWebhook[];
  /** The keys that sign tickets, in the order they were made. */
  readonly ticketKeys: readonly TicketVerifier[];
  /** The default one while the owner has set none. */
  readonly policy: Policy;
  /** The policy's rules on arguments, for the contracts as they are registered. */
  readonly callRules: CallRules;
  /** Which calls its limits of contracts and methods count. */
  readonly calledLimits: CalledLimits;
  /** The names of those that requests may choose instead of the default one, by their ids. */
  readonly named: ReadonlyMap<string, string>;
  /** Which of them the policy is, of the profile that a request has once it has chosen; absent for the default one. */
  readonly chosen?: ChosenPolicy;
  /**
   * How often the paymaster had been changed when this was read. Absent where no one else changes it, and where
   * nothing is decided on it.
   */
  readonly changes?: number;
  /** The same number, no matter who else changes it: named policies are read for it. */
  readonly readAt: number;
  /** About what it takes in memory. */
  readonly bytes: number;
};
