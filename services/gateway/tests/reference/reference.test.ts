import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from '@jest/globals'
import { describeApi } from '../../src/reference/openapi.ts'
import { operationRoutes } from '../../src/routes/table.ts'

const document = describeApi('https://api.causeway.test')

test('the OpenAPI document passes the linter without a finding', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`),
  ).toEqual([])
})

test('every route of the table is described with the scopes or the role it needs', () => {
  for (const route of operationRoutes) {
    const described = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
    expect(described?.summary).toBe(route.operation.summary)
    if (route.scopes.length > 0) expect(described?.security).toEqual([{ partnerToken: route.scopes }])
    if (route.role !== null) expect(described?.security).toEqual([{ operatorKey: [route.role] }])
  }
})
