/** The dashboard's folder when the program runs from sources. */
export const dashboardFolder: string;

/** A build to make: arguments for `node`, and what to do after it succeeds. */
export type PlannedBuild = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly done: () => void;
};

/** Undefined when the existing build is up to date. */
export function planDashboard(): PlannedBuild | undefined;
