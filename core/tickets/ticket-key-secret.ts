/** Ties a sealed secret to its row. */
export function ticketKeySecretBinding(ticketKeyId: string): string {
  return `ticket_keys/${ticketKeyId}/secret`;
}
