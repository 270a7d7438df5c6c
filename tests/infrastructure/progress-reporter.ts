import type { AggregatedResult, Config, Reporter, Test, TestResult } from '@jest/reporters'
import { relative } from 'node:path'
import { minutes, timesBySuite } from './suites.ts'

const EVERY_MS = 30_000

/** Prints the progress of the run every 30 s, and at its end the time by suite. */
export default class ProgressReporter implements Pick<
  Reporter,
  'onRunStart' | 'onTestResult' | 'onRunComplete'
> {
  private readonly rootDir: string
  private readonly times: { file: string; ms: number }[] = []
  private startedAtMs = 0
  private toldAtMs = 0

  constructor(config: Config.GlobalConfig) {
    this.rootDir = config.rootDir
  }

  onRunStart(): void {
    this.startedAtMs = Date.now()
    this.toldAtMs = this.startedAtMs
  }

  onTestResult({ path }: Test, { perfStats }: TestResult, results: AggregatedResult): void {
    this.times.push({ file: relative(this.rootDir, path), ms: perfStats.runtime })
    if (Date.now() - this.toldAtMs < EVERY_MS) return
    this.toldAtMs = Date.now()
    const ended = this.times.length
    const failed = results.numFailedTests === 0 ? '' : `, ${results.numFailedTests} tests failed`
    process.stderr.write(
      `${minutes(this.toldAtMs - this.startedAtMs)}: ${ended} of ${results.numTotalTestSuites} files${failed}\n`,
    )
  }

  onRunComplete(): void {
    if (this.times.length > 1) process.stderr.write(`\nTime by suite:\n${timesBySuite(this.times)}\n`)
  }
}
