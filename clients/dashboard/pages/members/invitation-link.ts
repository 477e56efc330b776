/** A link whose visitor signs in to an account that has invited the wallet, and gets no account of their own. */
export function invitationLink(accountId: string): string {
  return `${window.location.origin}/dashboard/?join=${accountId}`;
}

/** The account that the address of the page invites to. */
export function invitedTo(): string | undefined {
  return new URLSearchParams(window.location.search).get('join') ?? undefined;
}
