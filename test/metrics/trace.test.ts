import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { rpcBody } from '../../server/dev/rpc-call.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { startTracing, type Tracing } from '../../server/process/start-tracing.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const attributeSchema = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attributeSchema),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attributeSchema) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const sponsorshipInfo = { webhookData: {}, smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } };
const clientSpan = 'b7ad6b7169203331';

/** A collector that takes OTLP over HTTP, in JSON. */
const received: string[] = [];
const collector = createServer(async (incoming, response) => {
  if (incoming.url === '/v1/traces') received.push(await text(incoming));
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});

let tracing: Tracing;
let service: RunningService;
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  tracing = await startTracing({ sampleRatio: 0 }, 'tollfree-test', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  service = await startService({ handle: 'grpc' });
});
afterAll(async () => {
  await service.close();
  await tracing.close();
  collector.close();
});

test('a traced request is one connected trace from the address to the node, and tells no secret', async () => {
  const { authToken } = await service.issueAccount();
  const { apiKey, rpcUrl } = await service.fundedPaymaster(authToken, '0.7');
  const ask = async (headers: Record<string, string>) => {
    const operation = await nextOperation(service.devnet, newSmartAccount('0.7'), [
      targetCall(service.devnet, 'increment'),
    ]);
    const context = { mode: 'SPONSORED', calculateGasLimits: true, sponsorshipInfo };
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: rpcBody('pm_sponsorUserOperation', [toRpcUserOperation(operation), context]),
    });
    return { status: answer.status, decisionId: answer.headers.get('x-decision-id') };
  };
  // No one asked for a trace, and none is drawn by lot.
  await ask({});
  const { status, decisionId } = await ask({ traceparent: `00-${traceId}-${clientSpan}-01`, baggage: 'secret=words' });
  expect(status).toBe(200);
  await tracing.close();

  const exported = received.map((body) => exportSchema.parse(JSON.parse(body)));
  const spans = exported.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)),
  );
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  const ids = new Set([clientSpan, ...spans.map(({ spanId }) => spanId)]);
  expect(spans.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? ''))).toEqual([]);

  /** The names from a span up to the client's. */
  const pathOf = (name: string): readonly string[] => {
    const names: string[] = [];
    let span = spans.find((one) => one.name === name);
    while (span !== undefined) {
      names.push(span.name);
      const { parentSpanId } = span;
      span = spans.find(({ spanId }) => spanId === parentSpanId);
    }
    return names;
  };
  const upFromCore = ['core SponsorUserOperation', 'call SponsorUserOperation', 'POST rpc'];
  expect(pathOf('step sign')).toEqual(['step sign', ...upFromCore]);
  expect(pathOf('hold transaction')).toEqual(['hold transaction', 'step holdForSponsorship', ...upFromCore]);
  expect(pathOf('node eth_call').slice(-4)).toEqual([expect.stringMatching(/^step /), ...upFromCore]);
  const core = spans.find(({ name }) => name === upFromCore[0]);
  expect(core?.attributes).toEqual(
    expect.arrayContaining([
      { key: 'tollfree.decision_id', value: { stringValue: decisionId } },
      { key: 'tollfree.outcome', value: { stringValue: 'signed' } },
      { key: 'tollfree.chain_id', value: { intValue: service.devnet.chainId } },
    ]),
  );
  const reported = received.join();
  expect(reported).toContain('tollfree-test');
  for (const secret of [apiKey, authToken, service.devnet.rpcUrl, 'secret', 'http://'])
    expect(reported).not.toContain(secret);
});
