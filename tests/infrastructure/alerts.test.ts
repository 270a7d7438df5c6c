import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { dashboard } from '../../scripts/monitoring/dashboard.ts'
import { findProgram } from '@causeway/dev-env/infrastructure/program-path'
import { ALERT_CASES, type AlertCase } from './alert-cases.ts'

type Rule = { alert: string; expr: string; labels: Record<string, string>; annotations: { summary: string } }

const FILE = 'deploy/monitoring/alerts.yaml'
const { groups } = parse(readFileSync(FILE, 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const page = readFileSync('docs/OPERATIONS.md', 'utf8')
const promtool = findProgram(['promtool'], process.env['PATH'] ?? '')
const folder = mkdtempSync(join(tmpdir(), 'causeway-alerts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const AT = '45m'
/** Alerts that look back an hour need one before. */
const AT_OF: Record<string, string> = { DeliveriesDie: '95m' }

const filled = (text: string, labels: AlertCase['labels']) =>
  text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '')

/** Two tests of promtool for one rule: it fires once, and it does not. */
const testsOf = ({ alert, labels, annotations }: Rule, { fires, labels: of, silent }: AlertCase) => {
  const series = (values: AlertCase['fires']) =>
    Object.entries(values).map(([name, each]) => ({ series: name, values: each }))
  const eval_time = AT_OF[alert] ?? AT
  const expected = {
    exp_labels: { ...of, severity: labels['severity'] },
    exp_annotations: { summary: filled(annotations.summary, of) },
  }
  return [
    {
      interval: '1m',
      input_series: series(fires),
      alert_rule_test: [{ eval_time, alertname: alert, exp_alerts: [expected] }],
    },
    {
      interval: '1m',
      input_series: series(silent),
      alert_rule_test: [{ eval_time, alertname: alert, exp_alerts: [] }],
    },
  ]
}

const runPromtool = (...args: string[]) => spawnSync(promtool ?? '', args, { encoding: 'utf8' })

const title = promtool === null ? 'promtool (skipped: not on PATH; Debian: package prometheus)' : 'promtool'
;(promtool === null ? describe.skip : describe)(title, () => {
  test('fires each alert in its case, and keeps it silent otherwise', () => {
    const tests = rules.flatMap((rule) => {
      const cases = ALERT_CASES[rule.alert]
      if (cases === undefined) throw new Error(`alert-cases.ts has no case of ${rule.alert}`)
      return testsOf(rule, cases)
    })
    const file = join(folder, 'tests.json')
    writeFileSync(file, JSON.stringify({ rule_files: [resolve(FILE)], evaluation_interval: '1m', tests }))
    const { status, stdout, stderr } = runPromtool('test', 'rules', file)
    expect({ status, output: stdout + stderr }).toEqual({
      status: 0,
      output: expect.stringContaining('SUCCESS'),
    })
  })

  test('accepts every expression of the dashboard', () => {
    const file = join(folder, 'dashboard.json')
    const asRules = dashboard.panels.flatMap(({ targets }, panel) =>
      targets.map(({ expr }, target) => ({
        record: `panel:${panel}_${target}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      })),
    )
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }))
    const { status, stdout, stderr } = runPromtool('check', 'rules', file)
    expect({ status, output: stdout + stderr }).toEqual({
      status: 0,
      output: expect.stringContaining('SUCCESS'),
    })
  })
})

test('has a case for every alert, and an alert for every case', () => {
  expect(Object.keys(ALERT_CASES).sort()).toEqual(rules.map(({ alert }) => alert).sort())
})

test.each(rules)(
  'explains $alert in a paragraph of OPERATIONS: what it means, and what to do',
  ({ alert }) => {
    const paragraph = page.split('\n\n').find((text) => text.startsWith(`**\`${alert}\`.**`))
    expect(paragraph?.length ?? 0).toBeGreaterThan(100)
  },
)
