/** A link for an invited wallet: its visitor signs in to the inviting account instead of getting a new one. */
export function invitationLink(accountId: string): string {
  return `${window.location.origin}/dashboard/?join=${accountId}`;
}

/** The inviting account, from the page's URL. */
export function invitedTo(): string | undefined {
  return new URLSearchParams(window.location.search).get('join') ?? undefined;
}
