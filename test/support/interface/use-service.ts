import { afterAll, beforeAll } from 'vitest';
import { type RunningService, type ServiceOptions, startService } from '../service/running-service.ts';

/** Starts a service before the tests of a block and stops it after them. It is there while they run, not before. */
export function useService(options: ServiceOptions = {}): () => RunningService {
  let running: RunningService | undefined;
  beforeAll(async () => {
    running = await startService(options);
  });
  afterAll(async () => {
    await running?.close();
  });
  return () => {
    if (running === undefined) throw new Error('The service is used before it was started.');
    return running;
  };
}
