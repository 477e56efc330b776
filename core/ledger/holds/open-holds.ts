/** What is open at a tank of one sender or client: how many live holds, and their sum in wei. */
export type OpenHolds = { readonly count: number; readonly amount: bigint };

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
