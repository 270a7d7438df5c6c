import { sessionScreen, type Screen } from '../../screen.ts'
import { createPricePlan, PREVIEW_PRICES_PATH, previewPrices, showPricePlanForm } from './form.ts'
import { assignPricePlan, ASSIGN_PRICE_PLAN_PATH, listPricePlans, NEW_PRICE_PLAN_PATH } from './list.ts'
import { PRICE_PLANS_PATH } from '../books/words.ts'

/** The screens of price plans (decisions §52). */
export const pricePlanScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: PRICE_PLANS_PATH,
    answer: (request) => listPricePlans(request),
  }),
  sessionScreen('console', { method: 'POST', path: PRICE_PLANS_PATH, answer: createPricePlan }),
  sessionScreen('console', {
    method: 'GET',
    path: NEW_PRICE_PLAN_PATH,
    answer: (request) => Promise.resolve(showPricePlanForm(request)),
  }),
  sessionScreen('console', { method: 'POST', path: PREVIEW_PRICES_PATH, answer: previewPrices }),
  sessionScreen('console', { method: 'POST', path: ASSIGN_PRICE_PLAN_PATH, answer: assignPricePlan }),
]
