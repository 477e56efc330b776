import type { TestProject } from 'vitest/node';
import { buildDashboard } from '../../../tools/build/build-dashboard.ts';
import { hasChromium } from '../browser/open-browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the built dashboard; empty where there is no browser to look at it. */
    dashboard: string;
  }
}

/** For vitest's `globalSetup`: builds the dashboard, where it is stale and can be tried. */
export function setup(project: TestProject): void {
  project.provide('dashboard', hasChromium ? buildDashboard() : '');
}
