/** Where the program looks for the dashboard when it runs from its sources. */
export const dashboardFolder: string;

/** A build that is to be made: arguments for `node`, and what to do when it has ended well. */
export type PlannedBuild = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly done: () => void;
};

/** None when the dashboard there was built of the same sources. */
export function planDashboard(): PlannedBuild | undefined;
