import type { Logger } from '../../../core/base/logger.ts';

/** For parts whose log a test does not read. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
