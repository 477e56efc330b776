/** A file of the dashboard, ready to send. */
export type DashboardFile = {
  readonly type: string;
  readonly bytes: Buffer;
  /** The gzipped content, for clients that accept it. */
  readonly gzipped?: Buffer;
};

/** The built dashboard: its files, including `index.html`, by their path below `/dashboard`. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>;
