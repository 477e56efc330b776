import type { Address, Hex } from 'viem';

/** A call that a ticket is good for: of one method, or of any where none is said. */
export type TicketCall = { readonly to: Address; readonly selector?: Hex };

/** What a verified ticket says. */
export type Ticket = {
  readonly keyName: string;
  /** Whose it is, by {@link subjectDigest}. */
  readonly subject: string;
  /** Which one it is, by {@link ticketDigest}, where its uses or its budget are counted. */
  readonly counted?: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly sender?: Address;
  readonly calls?: readonly TicketCall[];
  readonly uses?: bigint;
  readonly budgetWei?: bigint;
  /** Millionths of a USD. */
  readonly budgetUsdMicros?: bigint;
  readonly label?: string;
  /** `azp` of OpenID Connect: the client that the token was made for. */
  readonly authorizedParty?: string;
};
