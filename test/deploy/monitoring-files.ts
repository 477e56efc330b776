import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const root = resolve(import.meta.dirname, '../..');

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Tollfree[A-Za-z0-9]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});

/** The alerts of `deploy/prometheus/rules.yaml`. */
export const alerts = rulesSchema
  .parse(parse(readFileSync(join(root, 'deploy/prometheus/rules.yaml'), 'utf8')))
  .groups.flatMap(({ rules }) => rules);

const panelSchema = z.object({
  id: z.int(),
  title: z.string(),
  targets: z.array(z.object({ expr: z.string() })).optional(),
});
const dashboardSchema = z.object({
  uid: z.string(),
  panels: z.array(panelSchema),
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.string() })) }),
});

export const dashboard = dashboardSchema.parse(
  JSON.parse(readFileSync(join(root, 'deploy/grafana/dashboard.json'), 'utf8')),
);

/** The dashboard's expressions as Prometheus gets them: what Grafana puts in is put in. */
export const dashboardExpressions = dashboard.panels
  .flatMap(({ targets = [] }) => targets)
  .map(({ expr }) => expr.replaceAll('$__rate_interval', '1m'));
