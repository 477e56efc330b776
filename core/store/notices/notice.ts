/** Notices between processes at one database: something has changed, or needs to be done. */
export type Notice =
  /** A paymaster, or its data, changed. */
  | `paymaster ${string}`
  /** A notification waits to be sent. */
  | 'queued'
  /** The state of a chain's ledger changed; someone waits for confirmed events; a requested update is done. */
  | `books ${number}`
  | `look ${number}`
  | `looked ${number}`;
