/** Binds a sealed secret to its row. */
export function notificationSecretBinding(notificationId: string): string {
  return `notifications/${notificationId}/secret`;
}
