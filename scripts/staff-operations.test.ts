import { expect, test } from '@jest/globals'
import { STAFF_OPERATIONS } from '../packages/cli/src/session/staff-client.ts'
import { describeOperatorApi, type Document, tableOf } from '@causeway/reference'

test('keeps the command line’s operations of staff equal to those of the operator API', () => {
  const document = JSON.parse(JSON.stringify(describeOperatorApi('http://127.0.0.1:8080'))) as Document
  for (const methods of Object.values(document.paths))
    for (const [method, { operationId }] of Object.entries(methods))
      if (!(operationId in STAFF_OPERATIONS)) Reflect.deleteProperty(methods, method)
  const described = JSON.parse(tableOf(document, 'operatorKey')) as Record<string, unknown>
  for (const [name, row] of Object.entries(STAFF_OPERATIONS))
    expect([name, row]).toEqual([name, described[name]])
})
