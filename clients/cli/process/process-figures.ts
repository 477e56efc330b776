import type { FigureForm } from '../../../core/domain/figures/figure-form.ts';

const labels = ['process'] as const;

/** What every process of the service tells of itself. */
export const processFigures = {
  build: {
    name: 'tollfree_build_info',
    kind: 'gauge',
    labels: ['process', 'version', 'node'],
    help: '1, with the version of the program and of Node.js.',
  },
  started: {
    name: 'tollfree_process_start_time_seconds',
    kind: 'gauge',
    labels,
    help: 'When the process began, in Unix seconds.',
  },
  cpu: {
    name: 'tollfree_process_cpu_seconds_total',
    kind: 'counter',
    labels,
    help: 'CPU time of all its threads.',
  },
  memory: {
    name: 'tollfree_process_resident_memory_bytes',
    kind: 'gauge',
    labels,
    help: 'Memory that it has of the machine.',
  },
  heap: {
    name: 'tollfree_process_heap_used_bytes',
    kind: 'gauge',
    labels,
    help: 'Part of it that objects take.',
  },
  busy: {
    name: 'tollfree_event_loop_busy_seconds_total',
    kind: 'counter',
    labels,
    help: 'How long the event loop worked; its rate is the part of one core that is used up, and 1 is all there is.',
  },
  delay: {
    name: 'tollfree_event_loop_delay_seconds',
    kind: 'histogram',
    labels,
    help: 'How late a timer is that should come four times a second.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  logLines: {
    name: 'tollfree_log_lines_total',
    kind: 'counter',
    labels: ['process', 'level'],
    help: 'Lines of the log that tell of trouble. level: warn or error.',
  },
} as const satisfies Record<string, FigureForm>;
