/** Whose subject: a user of a paymaster. */
export type TicketUser = {
  readonly paymasterId: string;
  /** The `issuer` of the ticket key that signs the user's tickets. Absent if the key names none, whatever `iss` a ticket has. */
  readonly issuer?: string | undefined;
  /** `sub` of the user's tickets. */
  readonly sub: string;
};

/**
 * The `subject` under which the service counts and shows a user of tickets: in `sponsorship.ticket.subject` of a webhook, in
 * notifications and in decisions. It stays the same while keys and tickets change.
 *
 * SHA-256 of the JSON text `[paymasterId, issuer, sub]` (an absent issuer is empty), in base64url behind `subject:`.
 *
 * @example
 * const subject = await ticketSubject({ paymasterId, sub: user.id });
 * const user = usersBySubject.get(sponsorship.ticket.subject);
 */
export async function ticketSubject({ paymasterId, issuer = '', sub }: TicketUser): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([paymasterId, issuer, sub]));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  const base64 = btoa(String.fromCharCode(...digest));
  return `subject:${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}
