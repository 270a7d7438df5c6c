import { connect } from 'node:net'
import { expect, test } from '@jest/globals'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import {
  documentsOf,
  follow,
  expectAccessible,
  newLink,
  newPendingCustomer,
  open,
  PDF,
  PNG,
  press,
  running,
} from './onboarding-fixture.ts'
import { onePagePdf } from './one-page-pdf.ts'
import { signUp } from './platform.ts'

/** A PDF of one blue page. */
const ONE_PAGE = onePagePdf()

/** Documents, requirements and agreements. */
export const describeEvidence = (): void => {
  test('answers a requirement with a file, after an invalid one and a truncated one', async () => {
    const { customerId, merchantId, url } = await newPendingCustomer()
    const raised = await running.platform.staff.post(`/api/operator/merchants/${merchantId}/requirements`, {
      kind: 'document',
      document_type: 'director_id',
      message: 'The back of the card <b>too</b>',
    })
    const { requirement } = dataOf<{ requirement: { requirement_id: string } }>(raised)
    const page = await open(url)
    await follow(page, 'The back of the card <b>too</b>')
    await expectAccessible(page)
    await page.getByLabel('File').setInputFiles({ ...PDF, buffer: Buffer.from('no PDF') })
    await press(page, 'Upload')
    await page.getByText('This file is not a PDF, PNG or JPEG').waitFor()
    await expectAccessible(page)
    await page.getByLabel('File').setInputFiles(PNG)
    await page.getByAltText('Preview of the selected file').waitFor()
    await page.route('**/document?*', (route) => route.abort('connectionreset'), { times: 1 })
    await press(page, 'Upload')
    await page.getByText('Your file is still selected').waitFor()
    await expectAccessible(page)
    expect((await documentsOf(customerId)).filter(({ mime_type: type }) => type === 'image/png')).toEqual([])
    await press(page, 'Upload')
    await page.getByText('Your answer was sent.').waitFor()
    const { requirement_id: requirementId } = requirement
    const read = await running.partner.causeway.getRequirement({ customerId, requirementId })
    const [sent] = (await documentsOf(customerId)).filter(({ mime_type: type }) => type === 'image/png')
    expect(read.requirement).toMatchObject({ status: 'fulfilled', document_id: sent?.document_id })
    await page.goto(`${url}/documents/director_id`)
    await page.getByAltText('Preview of <img src=x onerror=alert(1)>.png').waitFor()
    await expectAccessible(page)
  })

  test('leaves nothing of an upload that breaks off, and accepts it again', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const { url } = await newLink(customerId)
    const page = await open(`${url}/documents/bank_statement`)
    const action = (await page.locator('form').getAttribute('action')) ?? ''
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const head = [
      `POST ${action} HTTP/1.1`,
      `Host: ${hostname}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 500000',
      '',
      '--b',
      'Content-Disposition: form-data; name="document_type"',
      '',
      'bank_statement',
      '--b',
      'Content-Disposition: form-data; name="file"; filename="a.pdf"',
      '',
      `%PDF-${'x'.repeat(100_000)}`,
    ]
    await new Promise<void>((resolve) => socket.write(head.join('\r\n'), () => resolve()))
    socket.destroy()
    await page.getByLabel('File').setInputFiles(PDF)
    await press(page, 'Upload')
    await page.getByText('Check the preview below').waitFor()
    expect((await documentsOf(customerId)).map(({ file_name: name }) => name)).toEqual(['paper.pdf'])
    await page.getByLabel('Replacement file').setInputFiles({
      ...PDF,
      buffer: Buffer.concat([PDF.buffer, Buffer.alloc(10 * 1_048_576)]),
    })
    await press(page, 'Upload')
    await page.getByText('Choose a smaller file').waitFor()
  })

  test('records the acceptance of an agreement with its evidence', async () => {
    const { customerId } = await signUp(running.partner.causeway)
    const published = await running.platform.staff.post('/api/operator/agreements', {
      title: 'Terms <i>of</i> use',
      version: '1',
      effective_date: '2026-01-01',
      parties: [{ role: 'Platform', name: 'Example' }],
      disclosure: 'Read it all.',
      content_base64: Buffer.from('The terms.').toString('base64'),
    })
    expect(published.status).toBe(201)
    const drawn = await running.platform.staff.post('/api/operator/agreements', {
      title: 'Terms as a PDF',
      version: '1',
      effective_date: '2026-01-01',
      parties: [{ role: 'Platform', name: 'Example' }],
      disclosure: 'Read it here.',
      content_base64: ONE_PAGE.toString('base64'),
    })
    expect(drawn.status).toBe(201)
    const { url } = await newLink(customerId)
    const page = await open(`${url}/agreements`)
    await follow(page, 'Terms as a PDF')
    await page
      .getByRole('region', { name: 'Terms as a PDF' })
      .getByRole('img', { name: 'Page 1 of 1' })
      .waitFor()
    await expectAccessible(page)
    await follow(page, 'All agreements')
    await follow(page, 'Terms <i>of</i> use')
    expect(await page.getByRole('region').count()).toBe(0)
    await press(page, 'Accept')
    await page.getByText('Tick the box').first().waitFor()
    await expectAccessible(page)
    await page.getByLabel('I have read this agreement').check()
    await press(page, 'Accept')
    await page.getByText('Accepted.', { exact: true }).waitFor()
    const { agreements } = await running.partner.causeway.listAgreements({ customerId })
    expect(agreements[0]?.current_acceptance).toMatchObject({
      acceptance_channel: 'hosted_onboarding',
      evidence: {
        onboarding_link_id: expect.stringMatching(/^onl_/),
        statement: 'I have read this agreement and accept it for the business.',
        address: '127.0.0.1',
      },
    })
  })
}
