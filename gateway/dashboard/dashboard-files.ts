/** A file of the dashboard, ready to send. */
export type DashboardFile = {
  readonly type: string;
  readonly bytes: Buffer;
  /** The compressed content, for clients that accept it. */
  readonly compressed?: Readonly<Record<'br' | 'gzip', Buffer>>;
};

/** The built dashboard: its files, including `index.html`, by their path below `/dashboard`. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>;
