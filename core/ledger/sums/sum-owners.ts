type SenderOfClient = { readonly sender: string; readonly client?: string | null | undefined };

/**
 * A sender, as far as one client has asked for it. No one needs a key of an account to ask for a signature: what
 * strangers have asked for in its name does not count against whom it belongs to.
 */
export function senderOfClient({ sender, client }: SenderOfClient): string {
  return `${sender}:${client ?? ''}`;
}

/** For whom a hold counts: its sender, as far as its client asks for it, and that client where there is one. */
export function countedFor({ sender, client }: SenderOfClient): readonly string[] {
  return [senderOfClient({ sender, client }), ...(client === undefined || client === null ? [] : [client])];
}

/** Whose the holds of a tank are that last long: they count together, no matter who asks. */
export function lastingLongAt(tankId: number): string {
  return `lasts-long:${tankId}`;
}

/** Whose operation may end unpaid, and who asks for it. */
type RiskSubject = {
  readonly paymasterId: string;
  readonly sender: string;
  readonly client?: string | undefined;
};

/**
 * Whose risk, in what operations in token mode that are charged after the call can cost without being paid for, and have cost so in the
 * last 24 hours: a paymaster's, that of one of its senders as far as a client asks for it, and what the client has open.
 */
export function riskIdentities({ paymasterId, sender, client }: RiskSubject): {
  readonly paymaster: string;
  readonly sender: string;
  readonly client?: string;
} {
  const ofClient = client === undefined ? {} : { client: `${paymasterId}:client:${client}` };
  return { paymaster: paymasterId, sender: `${paymasterId}:${sender}:${client ?? ''}`, ...ofClient };
}
