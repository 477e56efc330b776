import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';

/** How a ticket comes to the service. */
export const ticketWays = ['ticket', 'sponsorshipInfo.ticket', 'authorization'] as const;
export type TicketWay = (typeof ticketWays)[number];

/** Where everything is, and what the application has the client send along. */
export type Sending = {
  readonly devnet: Devnet;
  readonly bundlerUrl: string;
  readonly paymasterUrl: string;
  readonly paymaster: Address;
  /** The context, or what the client calls so: a ticket in it, or none. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly policyId: string | undefined;
};

/** An operation on its way: of which account, and by its hash once it was sent. */
export type Sent = { readonly sender: Address; readonly hash: Hex };

/** A published client, told nothing but what its own parameters take, and what of that arrives. */
export type TicketClient = {
  /** As the table of `docs/clients.md` has it. */
  readonly name: string;
  readonly version: EntryPointVersion;
  readonly arrives: readonly TicketWay[];
  /** Can be told to it, and is not handed on. What is in neither list cannot be told. */
  readonly dropped?: readonly TicketWay[];
  /** By which name the id of a policy arrives; none does when absent. */
  readonly policyName?: 'policyId' | 'sponsorshipPolicyId';
  /** Sends one `increment` of a new account. */
  send(sending: Sending): Promise<Sent>;
};
