/** A PDF of one page of 200 × 100 points, all of it blue. @param catalogue further entries of its catalogue */
export const onePagePdf = (catalogue = ''): Buffer<ArrayBuffer> =>
  Buffer.from(`%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R ${catalogue}>>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << >> >>
endobj
4 0 obj
<< /Length 31 >>
stream
0 0 1 rg 0 0 200 100 re f      
endstream
endobj
trailer
<< /Root 1 0 R >>
%%EOF
`)
