import { SpanKind } from '@opentelemetry/api';
import { coreMetrics } from '../../base/metrics/core-metrics.ts';
import type { MetricRegistry } from '../../base/metrics/metric-registry.ts';
import type { Clock } from '../../base/time/clock.ts';
import { traced } from '../../base/traced.ts';
import { describeResult } from '../../domain/result/result.ts';
import type { WebhookCaller } from '../../webhooks/webhook-caller.ts';

/**
 * The same caller, measuring how long webhooks take. Their URLs belong to account holders, so none gets a series of its own.
 */
export function timeWebhooks(webhooks: WebhookCaller, metrics: MetricRegistry, clock: Clock): WebhookCaller {
  return {
    ...webhooks,
    async call(webhook, dataJson, sponsorshipJson) {
      const begunAt = clock.now();
      const answer = await traced(
        { name: 'webhook', kind: SpanKind.CLIENT },
        () => webhooks.call(webhook, dataJson, sponsorshipJson),
        describeResult,
      );
      const refusal = answer.ok ? undefined : answer.refusal.reason;
      const outcome = refusal === undefined ? 'approved' : refusal === 'WEBHOOK_REFUSED' ? 'refused' : 'unavailable';
      metrics.observe(coreMetrics.webhookSeconds, { outcome }, Math.max(clock.now() - begunAt, 0) / 1_000);
      return answer;
    },
  };
}
