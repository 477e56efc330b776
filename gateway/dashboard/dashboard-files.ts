/** A file of the dashboard as it is sent. */
export type DashboardFile = {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same, for those who take gzip. */
  readonly gzipped?: Buffer;
};

/** The built dashboard: its files by their path below `/dashboard`, `index.html` among them. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>;
