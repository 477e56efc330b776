import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { context, propagation, trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../server/create-logger.ts';

test('a log line of a traced request names its trace, and other lines name none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-log-'));
  const provider = new NodeTracerProvider();
  provider.register();
  onTestFinished(async () => {
    await provider.shutdown();
    for (const part of [trace, context, propagation]) part.disable();
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'log');
  const logger = createLogger('info', file);
  logger.info({ part: 'one' }, 'before');
  const traceId = trace.getTracer('test').startActiveSpan('a request', (span) => {
    logger.warn({ part: 'two' }, 'within');
    span.end();
    return span.spanContext().traceId;
  });
  // The logger writes when the process has time.
  const lines = await vi.waitFor(() => {
    const written = readFileSync(file, 'utf8').trim().split('\n');
    expect(written).toHaveLength(2);
    return written.map((line) => JSON.parse(line));
  });
  expect(lines).toMatchObject([{ msg: 'before' }, { msg: 'within', part: 'two', traceId }]);
  expect(lines[0]).not.toHaveProperty('traceId');
});
