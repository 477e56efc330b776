import { afterAll, beforeAll } from 'vitest';
import { type ProductionOptions, type ProductionService, startProductionService } from './production-service.ts';

/** {@link startProductionService} before the tests of a block. It is there while they run, not before. */
export function useProductionService(options: ProductionOptions = {}): () => ProductionService {
  let running: ProductionService | undefined;
  beforeAll(async () => {
    running = await startProductionService(options);
  });
  afterAll(async () => {
    await running?.close();
  });
  return () => {
    if (running === undefined) throw new Error('The service is used before it was started.');
    return running;
  };
}
