package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"
)

// Prints what the Go receiver makes of each vector of the file VECTORS.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("VECTORS"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name, Body       string
			Secrets          []string
			Headers          map[string]string
			Now              int64
			ToleranceSeconds int64 `json:"tolerance_seconds"`
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	results := [][2]string{}
	for _, vector := range file.Vectors {
		headers := http.Header{}
		for name, value := range vector.Headers {
			headers.Set(name, value)
		}
		tolerance := time.Duration(vector.ToleranceSeconds) * time.Second
		_, err := Verify([]byte(vector.Body), headers, vector.Secrets, tolerance, time.Unix(vector.Now, 0))
		result := "verified"
		if err != nil {
			result = err.Error()
		}
		results = append(results, [2]string{vector.Name, result})
	}
	printed, _ := json.Marshal(results)
	fmt.Println("RESULTS " + string(printed))
}

// Prints which events of the variable ARRIVALS the Go receiver works on.
func TestArrivals(t *testing.T) {
	var arrivals []map[string]any
	if err := json.Unmarshal([]byte(os.Getenv("ARRIVALS")), &arrivals); err != nil {
		t.Fatal(err)
	}
	taken := []bool{}
	for _, event := range arrivals {
		taken = append(taken, inbox.Take(event))
	}
	printed, _ := json.Marshal(taken)
	fmt.Println("TAKEN " + string(printed))
}
