import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from '../support/packages/pack.ts';

const folder = join(repository, '.github/workflows');
const stepSchema = z.object({ uses: z.string().optional(), run: z.string().optional() });
const jobSchema = z.object({
  uses: z.string().optional(),
  needs: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  strategy: z.object({ matrix: z.object({ node: z.array(z.string()) }) }).optional(),
  steps: z.array(stepSchema).default([]),
});
const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), jobSchema),
});

function readWorkflow(name: string) {
  return workflowSchema.parse(parse(readFileSync(join(folder, name), 'utf8')));
}

function readScripts(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).scripts;
}

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const workflow = readWorkflow(name);
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  test('takes actions of others by commit, so that a moved tag changes nothing', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  test('runs scripts that there are', () => {
    const scripts = steps.flatMap(({ run = '' }) => /^npm run ([\w:]+)/.exec(run)?.[1] ?? []);
    expect(scripts.filter((script) => readScripts()[script] === undefined)).toEqual([]);
  });

  test('may only read, unless a job says otherwise', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });
});

test('the tests run on the oldest Node.js that is supported, and on those after it', () => {
  const { engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const [oldest] = readWorkflow('test.yml').jobs.test?.strategy?.matrix.node ?? [];
  expect(engines.node).toMatch(new RegExp(`^>=${oldest}\\.`));
});

test('nothing is published before the tests have passed', () => {
  const { test: tested, packages, image } = readWorkflow('release.yml').jobs;
  expect([tested?.uses, packages?.needs, image?.needs]).toEqual(['./.github/workflows/test.yml', 'test', 'packages']);
});
