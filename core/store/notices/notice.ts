/** What processes at one database tell each other: that something has changed, or is to be done. */
export type Notice =
  /** A paymaster, or what belongs to it. */
  | `paymaster ${string}`
  /** A notification waits to be sent. */
  | 'queued'
  /** How the books of a chain stand; that someone waits for what is confirmed; that they were looked after. */
  | `books ${number}`
  | `look ${number}`
  | `looked ${number}`;
