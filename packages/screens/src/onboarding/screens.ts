import { agreementScreens } from './agreements.ts'
import { detailScreens } from './details.ts'
import { documentScreens, documentUploads } from './documents.ts'
import { overviewScreens } from './overview.ts'
import { peopleScreens } from './people.ts'
import type { OnboardingScreen, OnboardingUpload } from './request.ts'
import { requirementScreens, requirementUploads } from './requirements.ts'
import { reviewScreens } from './review.ts'

/** The pages of the hosted onboarding (decisions §22). */
export const onboardingScreens = (): readonly OnboardingScreen[] => [
  ...overviewScreens(),
  ...detailScreens(),
  ...peopleScreens(),
  ...documentScreens(),
  ...agreementScreens(),
  ...requirementScreens(),
  ...reviewScreens(),
]

/** The file forms of the hosted onboarding. */
export const onboardingUploads = (): readonly OnboardingUpload[] => [
  ...documentUploads(),
  ...requirementUploads(),
]
